import { batch, type Signal, useSignal } from '@preact/signals'
import { ChevronDown, ChevronRight, Download, Folder, FolderOpen, type IconNode } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { session } from '../base/session.ts'
import { FindField } from '../parts/find-field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Switch } from '../parts/switch.tsx'
import { imports as text } from '../text/import.ts'
import { problem } from '../text/problem.ts'
import { CHOICES, type Choice, choices, FURTHER_CHOICES, owner } from './choices.ts'
import { startImport } from './imports.ts'

/** How many folders are shown at a time; a search by name finds the others. */
const MOST = 100

/** Chooses the folder of the next import; the button waits for the import under way. */
export function Folders({ isBusy }: { isBusy: boolean }) {
  const words = text()
  const { path, files, folders, chosen, typed, error, go } = useFolders(isBusy)
  const counted = useCount(chosen, isBusy)
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
          {counted.count?.is_library && <Option name="create_users" />}
          <Options />
          <Start {...counted} chosen={chosen} isBusy={isBusy} />
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
      <span class="small num">{files ? number(files) : ''}</span>
    </button>
  )
  return (
    <>
      {folders.length > MOST && <FindField label={words.find} typed={typed} />}
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

interface StartProps extends ReturnType<typeof useCount> {
  chosen: Signal<string>
  isBusy: boolean
}

/** Says what will happen, and begins it. */
function Start({ count, error, chosen, isBusy }: StartProps) {
  const words = text()
  // An exported library may have tags alone.
  const isEmpty = count?.is_whole === true && count.files === 0 && !count.is_library
  const isDisabled = isBusy || isEmpty
  const start = (isTry: boolean) => void startImport(chosen.peek(), isTry)
  return (
    <>
      <p role="status">{isBusy ? words.oneAtATime : error ? words.noFolder : sentenceOf(count)}</p>
      <button type="button" class="btn primary" disabled={isDisabled} onClick={() => start(false)}>
        <Icon of={Download} />
        {words.take}
      </button>
      <button type="button" class="btn" disabled={isDisabled} onClick={() => start(true)}>
        {words.try}
      </button>
      <p class="muted small">{words.mayLeave}</p>
    </>
  )
}

/** Returns what an import of the chosen folder would find, once that is counted; counts again after an import. */
function useCount(chosen: Signal<string>, isBusy: boolean) {
  const counted = useResource(async (signal) => {
    const query = { path: chosen.value, recursive: choices.value.recursive ?? false }
    const call = api.GET('/api/v1/files/import/count', { params: { query }, signal })
    return { ...query, count: await ask(call) }
  })
  useEffect(() => {
    if (!isBusy && counted.data.peek()) void counted.reload()
  }, [isBusy])
  const { path, recursive, count } = counted.data.value ?? {}
  const isCurrent = path === chosen.value && recursive === (choices.value.recursive ?? false)
  return { count: isCurrent ? count : undefined, error: counted.error.value }
}

/** Returns in a sentence what an import will do. */
function sentenceOf(counted: Schemas['ImportCount'] | undefined): string {
  const words = text()
  if (!counted) return words.counting
  const { files, imported, folders, is_whole } = counted
  const isCopied = choices.value.leave_sources ?? false
  const count = isCopied ? files - imported : files
  if (files === 0) return is_whole ? words.nothingThere : words.tooMany
  if (count === 0) return words.allHere(files)
  return (isCopied ? words.copies : words.moves)(words.count(count, folders, is_whole), count)
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
  const words = text()
  const isMore = useSignal(false)
  return (
    <>
      {CHOICES.map((name) => (
        <Option key={name} name={name} />
      ))}
      <button
        type="button"
        class="btn quiet"
        aria-expanded={isMore.value}
        onClick={() => {
          isMore.value = !isMore.value
        }}
      >
        {words.moreOptions}
        <Icon of={isMore.value ? ChevronDown : ChevronRight} />
      </button>
      {isMore.value && FURTHER_CHOICES.map((name) => <Option key={name} name={name} />)}
      {isMore.value && <Owner />}
    </>
  )
}

/** Chooses whose photos they become; is absent where nobody else is there. */
function Owner() {
  const words = text()
  const { data } = useResource((signal) => ask(api.GET('/api/v1/people', { signal })))
  const me = session.value!.user
  const others = (data.value ?? []).filter(({ id }) => id !== me.id)
  if (others.length === 0) return null
  return (
    <label class="field">
      <span>{words.owner}</span>
      <select
        class="input"
        value={owner.value ?? me.id}
        onChange={({ currentTarget }) => {
          const id = Number(currentTarget.value)
          owner.value = id === me.id ? undefined : id
        }}
      >
        <option value={me.id}>{words.me(me.name)}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Option({ name }: { name: Choice }) {
  return (
    <Switch
      {...text().options[name]}
      isOn={choices.value[name] ?? false}
      onChange={(isOn) => {
        choices.value = { ...choices.peek(), [name]: isOn }
      }}
    />
  )
}
