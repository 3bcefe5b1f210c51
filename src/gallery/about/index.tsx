import { BookOpen, Braces, HeartPulse } from 'lucide'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { ownVersion } from '../base/connection.ts'
import { bytes, number, when } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { Icon, Mark } from '../parts/icon.tsx'
import { about } from '../text/about.ts'
import { shell } from '../text/shell.ts'

/** The screen with information about the product and, for admins, about the server. */
export function About() {
  const words = about()
  return (
    <>
      <div class="bar">
        <h1>{words.title}</h1>
      </div>
      <div class="page about">
        <section class="card">
          <div class="line">
            <Mark />
            <span class="muted num">{words.version(ownVersion())}</span>
          </div>
          <p class="muted">{words.summary}</p>
          <dl class="figures">
            {session.value?.user.is_admin && <ServerFacts />}
            <dt>{words.notHere}</dt>
            <dd>{words.missing}</dd>
          </dl>
        </section>
        <nav class="btns" aria-labelledby="for-programmers">
          <h2 class="label" id="for-programmers">
            {words.forProgrammers}
          </h2>
          <a class="btn" href="/docs">
            <Icon of={BookOpen} />
            {words.docs}
          </a>
          <a class="btn" href="/api/v1/openapi.json">
            <Icon of={Braces} />
            {words.document}
          </a>
          <a class="btn" href="/health">
            <Icon of={HeartPulse} />
            {words.health}
          </a>
        </nav>
      </div>
    </>
  )
}

function ServerFacts() {
  const { data } = useResource((signal) => ask(api.GET('/api/v1/status', { signal })))
  return data.value ? <Facts {...data.value} /> : null
}

function Facts(status: Schemas['Status']) {
  const { runtime, files, bytes: taken, free_bytes, decoder_jobs, last_scrub, damaged } = status
  const words = about()
  return (
    <>
      <dt>{words.files}</dt>
      <dd class="num">{number(files)}</dd>
      <dt>{words.space}</dt>
      <dd class="num">
        {free_bytes === null
          ? words.taken(bytes(taken))
          : words.takenAndFree(bytes(taken), bytes(free_bytes))}
        {free_bytes !== null && (
          <meter
            class="meter"
            min={0}
            max={taken + free_bytes}
            value={taken}
            aria-label={words.space}
          />
        )}
      </dd>
      {status.store && (
        <>
          <dt>{words.store}</dt>
          <dd>
            {status.store.name}
            <StoreProblem {...status.store} />
          </dd>
        </>
      )}
      {decoder_jobs > 0 && (
        <>
          <dt>{words.underWay}</dt>
          <dd class="num">{words.jobs(number(decoder_jobs))}</dd>
        </>
      )}
      <dt>{words.lastBackup}</dt>
      <dd>
        <LastBackup {...status} />
      </dd>
      <dt>{words.lastScrub}</dt>
      <dd>
        {last_scrub === null ? words.noScrub : when(last_scrub)}
        {damaged > 0 && <p>{shell().damaged(damaged)}</p>}
      </dd>
      <dt>{words.runsOn}</dt>
      <dd>{runtime}</dd>
    </>
  )
}

function StoreProblem({ problem, since }: NonNullable<Schemas['Status']['store']>) {
  if (problem === null || since === null) return null
  return <p class="muted">{about().storeProblem[problem](when(since))}</p>
}

function LastBackup({ last_backup, backup_problem }: Schemas['Status']) {
  const words = about()
  return (
    <>
      {last_backup === null ? words.noBackup : when(last_backup)}
      {backup_problem !== null && <p class="muted">{words.backupProblem[backup_problem]}</p>}
    </>
  )
}
