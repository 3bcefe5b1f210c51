import { batch, useSignal } from '@preact/signals'
import { ChevronRight, Download, Folder, FolderOpen, type IconNode } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { Icon } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { imports as text } from '../text/import.ts'
import { problem } from '../text/problem.ts'
import { CHOICES, choices } from './choices.ts'
import { startImport } from './imports.ts'

/** How many folders are shown at a time; a search by name finds the others. */
const MOST = 100

/** Chooses the folder of the next import; the button waits for the import under way. */
export function Folders({ isBusy }: { isBusy: boolean }) {
  const words = text()
  // The path of the folder that is listed, below the import folder; empty for that itself.
  const open = useSignal('')
  // How many files are directly in it; null if not counted.
  const files = useSignal<number | null>(null)
  const chosen = useSignal('')
  const typed = useSignal('')
  const listed = useResource((signal) => {
    const query = { path: open.value }
    return ask(api.GET('/api/v1/files/import/folders', { params: { query }, signal }))
  })
  const go = (path: string, count: number | null = null) => {
    batch(() => {
      open.value = path
      files.value = count
      chosen.value = path
      typed.value = ''
    })
  }
  const wasBusy = useRef(isBusy)
  useEffect(() => {
    if (wasBusy.current && !isBusy) {
      // Imported files have left their folder.
      files.value = null
      void listed.reload()
    }
    wasBusy.current = isBusy
  }, [isBusy])
  const error = listed.error.value
  const path = open.value
  // The previous list belongs to another folder.
  const folders = listed.data.value?.path === path ? listed.data.value.folders : []
  const all = folders.map(({ name, files }) => ({
    name,
    files,
    path: path ? `${path}/${name}` : name,
  }))
  const { recursive, leave_sources: leaveSources } = choices.value
  const counted =
    chosen.value === path ? files.value : all.find((one) => one.path === chosen.value)?.files
  // Only files directly in the folder are counted.
  const inChosen = recursive ? null : counted
  const isDisabled = isBusy || inChosen === 0
  const wanted = typed.value.toLocaleLowerCase()
  const found = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const row = (own: string, count: number | null, name: string, icon: IconNode) => (
    <button
      type="button"
      class="rest"
      aria-pressed={chosen.value === own}
      onClick={() => {
        chosen.value = own
      }}
    >
      <Icon of={icon} />
      <span class="rest">{name}</span>
      <span class="small num">{count !== null && number(count)}</span>
    </button>
  )
  return (
    <section class="card" aria-labelledby="next-import">
      <h2 id="next-import">{words.next}</h2>
      {error ? (
        <p role="alert">
          {error.status === 409
            ? words.off
            : error.status === 400
              ? words.noFolder
              : problem(error)}{' '}
          {path !== '' && (
            <button type="button" class="btn" onClick={() => go('')}>
              {words.root}
            </button>
          )}
        </p>
      ) : (
        <>
          <Crumbs path={path} go={go} />
          {all.length > MOST && (
            <input
              class="input"
              type="search"
              aria-label={words.find}
              placeholder={words.find}
              value={typed}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value
              }}
            />
          )}
          <ul class="tree">
            <li>{row(path, files.value, words.here, FolderOpen)}</li>
            {found.slice(0, MOST).map(({ name, path: own, files: count }) => (
              <li key={name}>
                {row(own, count, name, Folder)}
                <button
                  type="button"
                  class="btn quiet icononly"
                  aria-label={words.open(name)}
                  onClick={() => go(own, count)}
                >
                  <Icon of={ChevronRight} />
                </button>
              </li>
            ))}
          </ul>
          {found.length > MOST && <p class="muted small">{words.more(found.length - MOST)}</p>}
          <Options />
          <button
            type="button"
            class="btn primary"
            disabled={isDisabled}
            onClick={() => void startImport(chosen.value, false)}
          >
            <Icon of={Download} />
            {typeof inChosen === 'number' ? words.takeFiles(inChosen) : words.take}
          </button>
          <button
            type="button"
            class="btn"
            disabled={isDisabled}
            onClick={() => void startImport(chosen.value, true)}
          >
            {words.try}
          </button>
          <p class="muted small">
            {isBusy ? words.oneAtATime : leaveSources ? words.staysThere : words.leaves}{' '}
            {words.mayLeave}
          </p>
        </>
      )}
    </section>
  )
}

function Crumbs({ path, go }: { path: string; go(path: string): void }) {
  const words = text()
  const names = path === '' ? [] : path.split('/')
  return (
    <nav class="crumbs" aria-label={words.way}>
      {[words.root, ...names].map((name, place) => {
        const inner = names.slice(0, place).join('/')
        if (place === names.length) return <b key={inner}>{name}</b>
        return (
          <span key={inner}>
            <button type="button" class="btn quiet" onClick={() => go(inner)}>
              {name}
            </button>
            <Icon of={ChevronRight} />
          </span>
        )
      })}
    </nav>
  )
}

function Options() {
  const { options } = text()
  return CHOICES.map((name) => (
    <Switch
      key={name}
      {...options[name]}
      isOn={choices.value[name] ?? false}
      onChange={(isOn) => {
        choices.value = { ...choices.peek(), [name]: isOn }
      }}
    />
  ))
}
