import { RefreshCw } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { allDone, answered } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useKeys } from '../base/keys.ts'
import { session } from '../base/session.ts'
import { rescan, rescans, useWork } from '../base/work.ts'
import { Icon } from '../parts/icon.tsx'
import { OnDemand } from '../parts/on-demand.tsx'
import { complain, complainUnlessLost, toast } from '../parts/toast.tsx'
import { at, go } from '../routes.ts'
import { bulk } from '../text/bulk.ts'
import { duplicates } from '../text/duplicates.ts'
import { createFacts, createFiles } from './facts.ts'
import { ago } from './format.ts'
import { createHeld } from './held.ts'
import { Proposals } from './proposals/list.tsx'
import { createPlan, type Plan } from './proposals/plan.ts'
import { createQueue, type Queue } from './queue.ts'

const oneByOne = async () => (await import('./one-by-one.tsx')).OneByOne

/** The part of the address for deciding pair by pair. */
const ONE_BY_ONE = 'one-by-one'

function useState() {
  const state = useMemo(() => {
    const held = createHeld()
    const queue = createQueue(held)
    const plan = createPlan(held)
    const files = createFiles()
    const facts = createFacts()
    let known = -1
    const readAll = async () => {
      files.clear()
      queue.clear()
      await allDone()
      known = answered.peek()
      facts.readPools().catch(complainUnlessLost)
      await Promise.all([queue.reload(), plan.reload()])
    }
    const refresh = async () => {
      const isHeld = held.flush()
      if (isHeld || answered.peek() !== known) await readAll()
    }
    return { held, queue, plan, files, readAll, refresh, facts }
  }, [])
  useEffect(() => {
    void state.readAll()
    // Another search may have found other files.
  }, [rescans.ended.value])
  useEffect(
    () => () => {
      state.held.dispose()
      state.queue.dispose()
      state.plan.dispose()
    },
    [],
  )
  return state
}

/** The screen of files that look alike: the proposals, and the pairs one by one. */
export function Duplicates() {
  const { held, queue, plan, files, facts, refresh } = useState()
  const isOneByOne = at.value === ONE_BY_ONE
  useKeys('duplicates screen', { 'Ctrl+Z': held.undo })
  const show = (wanted: boolean) => {
    // Changes on one side must show on the other.
    void refresh()
    go({ at: wanted ? ONE_BY_ONE : null })
  }
  const pair = queue.pair.value
  return (
    <>
      <Bar plan={plan} queue={queue} isOneByOne={isOneByOne} show={show} />
      {!isOneByOne && (plan.items.value ?? []).length > 0 && (
        <Proposals
          plan={plan}
          files={files}
          facts={facts}
          byHand={(chosen) => {
            queue.bring(chosen)
            go({ at: ONE_BY_ONE })
          }}
        />
      )}
      {!isOneByOne && (plan.items.value ?? []).length === 0 && (
        <NothingProposed plan={plan} queue={queue} begin={() => show(true)} />
      )}
      {isOneByOne && pair && (
        <OnDemand
          load={oneByOne}
          before={<p class="void muted">…</p>}
          queue={queue}
          held={held}
          facts={facts}
          pair={pair}
          onClose={() => show(false)}
        />
      )}
      {isOneByOne && !pair && <Nothing queue={queue} />}
    </>
  )
}

interface BarProps {
  plan: Plan
  queue: Queue
  isOneByOne: boolean
  show(isOneByOne: boolean): void
}

function Bar({ plan, queue, isOneByOne, show }: BarProps) {
  const words = duplicates()
  return (
    <div class="bar">
      <h1>{words.title}</h1>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons are no set of fields */}
      <div class="seg" role="group" aria-label={words.show}>
        <Tab
          text={words.proposals}
          count={plan.total.value}
          isOn={!isOneByOne}
          act={() => show(false)}
        />
        <Tab
          text={words.oneByOne}
          count={queue.total.value - queue.settled.value}
          isOn={isOneByOne}
          act={() => show(true)}
        />
      </div>
      <span class="rest" />
      <MarkingApart plan={plan} />
      {/* While a pair is open, the progress of a search is hidden. */}
      {!(isOneByOne && queue.pair.value) && (
        <>
          <LookedAt />
          <LookAgain />
        </>
      )}
    </div>
  )
}

interface TabProps {
  text: string
  count: number
  isOn: boolean
  act(): void
}

function Tab({ text, count, isOn, act }: TabProps) {
  return (
    <button type="button" aria-pressed={isOn} onClick={act}>
      {text} <span class="muted small num">{number(count)}</span>
    </button>
  )
}

function MarkingApart({ plan }: { plan: Plan }) {
  const words = bulk()
  if (!plan.apart.value) return null
  const { done, count, end } = plan.apart.value
  return (
    <span class="looking" role="status">
      <progress
        class="meter"
        max={count}
        value={done}
        aria-label={words.progress(number(done), number(count))}
      />
      <button type="button" class="btn quiet" onClick={end}>
        {words.end}
      </button>
    </span>
  )
}

interface NothingProps {
  queue: Queue
}

function NothingProposed({ plan, queue, begin }: NothingProps & { plan: Plan; begin(): void }) {
  const words = duplicates()
  if (plan.isLost.value) return <Lost retry={plan.reload} />
  if (!plan.items.value || queue.state.value === 'loading') return <p class="void muted">…</p>
  if (!queue.pair.value) return <Nothing queue={queue} />
  return (
    <div class="void">
      <p>{words.nothingProposed}</p>
      <button type="button" class="btn primary" onClick={begin}>
        {words.begin}
      </button>
    </div>
  )
}

function Nothing({ queue }: NothingProps) {
  const words = duplicates()
  const state = queue.state.value
  if (state === 'loading') return <p class="void muted">…</p>
  if (state === 'failed') return <Lost retry={queue.reload} />
  return (
    <div class="void">
      <h2>{queue.settled.value > 0 ? words.allSettled : words.noLookAlikes}</h2>
      <LookedAt />
    </div>
  )
}

function Lost({ retry }: { retry(): Promise<void> }) {
  const words = duplicates()
  return (
    <div class="void">
      <p>{words.failed}</p>
      <button type="button" class="btn" onClick={() => void retry()}>
        {words.retry}
      </button>
    </div>
  )
}

function LookedAt() {
  const words = duplicates()
  const state = rescans.state.value
  if (!state?.started_at) return null
  if (state.state !== 'running') {
    return (
      <span class="muted small">
        {words.lookedAt(ago(Date.parse(state.started_at), Date.now()))}
      </span>
    )
  }
  const { progress } = state
  const isCounted = progress?.type === 'progress'
  return (
    <span class="looking" role="status">
      <span class="small">{words.looking}</span>
      <progress
        class="meter"
        aria-label={words.looking}
        {...(isCounted && { value: progress.done, max: Math.max(1, progress.total) })}
      />
    </span>
  )
}

function LookAgain() {
  return session.value!.user.is_admin ? <Again /> : null
}

function Again() {
  const words = duplicates()
  useWork(rescans)
  const look = async () => {
    if ((await rescan()) === null) toast({ text: words.cutOff, kind: 'bad' })
  }
  return (
    <button
      type="button"
      class="btn look-again"
      aria-label={words.lookAgain}
      disabled={rescans.isOwn.value || rescans.state.value?.state === 'running'}
      onClick={() => void look().catch(complain)}
    >
      <Icon of={RefreshCw} />
      <span class="long">{words.lookAgain}</span>
    </button>
  )
}
