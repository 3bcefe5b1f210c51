import { batch, type Signal, useSignal } from '@preact/signals'
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
  const { path, files, folders, chosen, typed, error, go } = useFolders(isBusy)
  const counted =
    chosen.value === path ? files : folders.find((one) => one.path === chosen.value)?.files
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
          <FolderList
            here={{ path, files, name: words.here }}
            folders={folders}
            chosen={chosen}
            typed={typed}
            go={go}
          />
          <Options />
          <Start path={chosen.value} counted={counted} isBusy={isBusy} />
        </>
      )}
    </section>
  )
}

interface ListedFolder {
  /** Below the import folder; empty for that itself. */
  path: string
  name: string
  /** How many files are directly in it; null if not counted. */
  files: number | null
}

/** Returns the folder that is listed, with the folders in it, and a function that lists another one. */
function useFolders(isBusy: boolean) {
  const open = useSignal('')
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
  const path = open.value
  // The previous list belongs to another folder.
  const inside = listed.data.value?.path === path ? listed.data.value.folders : []
  const folders = inside.map(
    ({ name, files }): ListedFolder => ({ name, files, path: path ? `${path}/${name}` : name }),
  )
  return { path, files: files.value, folders, chosen, typed, error: listed.error.value, go }
}

interface FolderListProps {
  here: ListedFolder
  folders: ListedFolder[]
  chosen: Signal<string>
  typed: Signal<string>
  go(path: string, count: number | null): void
}

function FolderList({ here, folders, chosen, typed, go }: FolderListProps) {
  const words = text()
  const wanted = typed.value.toLocaleLowerCase()
  const found = folders.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const row = ({ path, name, files }: ListedFolder, icon: IconNode) => (
    <button
      type="button"
      class="rest"
      aria-pressed={chosen.value === path}
      onClick={() => {
        chosen.value = path
      }}
    >
      <Icon of={icon} />
      <span class="rest">{name}</span>
      <span class="small num">{files !== null && number(files)}</span>
    </button>
  )
  return (
    <>
      {folders.length > MOST && (
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
        <li>{row(here, FolderOpen)}</li>
        {found.slice(0, MOST).map((folder) => (
          <li key={folder.name}>
            {row(folder, Folder)}
            <button
              type="button"
              class="btn quiet icononly"
              aria-label={words.open(folder.name)}
              onClick={() => go(folder.path, folder.files)}
            >
              <Icon of={ChevronRight} />
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST && <p class="muted small">{words.more(found.length - MOST)}</p>}
    </>
  )
}

interface StartProps {
  path: string
  /** How many files are directly in the folder; undefined or null if not counted. */
  counted: number | null | undefined
  isBusy: boolean
}

function Start({ path, counted, isBusy }: StartProps) {
  const words = text()
  const { recursive, leave_sources: leaveSources } = choices.value
  // Only files directly in the folder are counted.
  const inChosen = recursive ? null : counted
  const isDisabled = isBusy || inChosen === 0
  return (
    <>
      <button
        type="button"
        class="btn primary"
        disabled={isDisabled}
        onClick={() => void startImport(path, false)}
      >
        <Icon of={Download} />
        {typeof inChosen === 'number' ? words.takeFiles(inChosen) : words.take}
      </button>
      <button
        type="button"
        class="btn"
        disabled={isDisabled}
        onClick={() => void startImport(path, true)}
      >
        {words.try}
      </button>
      <p class="muted small">
        {isBusy ? words.oneAtATime : leaveSources ? words.staysThere : words.leaves}{' '}
        {words.mayLeave}
      </p>
    </>
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
