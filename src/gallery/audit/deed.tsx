import { useSignal } from '@preact/signals'
import { ChevronRight } from 'lucide'
import { when } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { Icon } from '../parts/icon.tsx'
import { pools } from '../pool-box/index.ts'
import { tagsById } from '../tag-box/index.ts'
import { audit as text } from '../text/audit.ts'
import { type Entry, factsOf, fieldsOf } from './entries.ts'
import { type Group, groupsOf, nameIn, PLACE, type Undone, wordingOf } from './sentences.ts'

interface DoneProps {
  entries: Entry[]
  /** What they took back, if that is known. */
  taken?: Undone | undefined
  /** Whether the list ends with these entries, so that there may be more. */
  isCut?: boolean
  /** Whether all entries are about one file, which needs no name or picture. */
  isOfOne?: boolean
}

/** Says in sentences who did what and when, and shows each of several entries on request. */
export function Done({ entries, taken, isCut, isOfOne = false }: DoneProps) {
  const words = text()
  const isOpen = useSignal(false)
  const [newest] = entries as [Entry]
  return (
    <div class="rest">
      {groupsOf(entries).map((group) => (
        <Sentence key={group.action} {...{ group, taken, isCut, isOfOne }} />
      ))}
      <p class="muted small num">
        <time dateTime={newest.performed_at}>{when(newest.performed_at)}</time>
        {entries.length > 1 && (
          <button
            type="button"
            class="link each"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            <Icon of={ChevronRight} />
            {words.each}
          </button>
        )}
      </p>
      {isOpen.value && (
        <ul>
          {entries.map((entry) => (
            <li key={entry.id}>
              <Sentence group={{ action: entry.action, entries: [entry] }} isOfOne={isOfOne} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface SentenceProps extends Pick<DoneProps, 'taken' | 'isCut' | 'isOfOne'> {
  group: Group
}

function Sentence({ group, taken, isCut, isOfOne }: SentenceProps) {
  const { entries } = group
  const [entry] = entries as [Entry]
  const { sentence, names } = wordingOf(group, nameOf, taken, isOfOne)
  const facts = entries.length === 1 ? factsOf(entry, (id) => nameOf('tag', id)) : fieldsOf(entries)
  return (
    <>
      <p>
        {sentence.split(PLACE).map((part, index) => {
          if (index % 2 === 0) return part
          if (part === 'who') return <b key={part}>{names.who}</b>
          if (part !== 'what' && part !== 'dative') return names[part]
          return <Subject key={part} entry={entry} isOfOne={isOfOne} name={names[part]!} />
        })}
        {isCut && ' …'}
      </p>
      {facts.length > 0 && <p class="muted small">{facts.join(' · ')}</p>}
    </>
  )
}

interface SubjectProps {
  entry: Entry
  isOfOne: boolean | undefined
  name: string
}

function Subject({ entry, isOfOne, name }: SubjectProps) {
  const { object_type, object_id } = entry
  if (isOfOne) return <>{name}</>
  const href = object_id && hrefs[object_type!]?.(object_id)
  if (!href) return <b>{name}</b>
  const isPicture = object_type === 'file' && nameIn(entry, nameOf) === undefined
  return (
    <a class="link" href={href}>
      {isPicture ? <Picture id={object_id} name={name} /> : name}
    </a>
  )
}

/** Returns the name of a tag or an album. */
function nameOf(type: string, id: string): string | undefined {
  if (type === 'tag') return tagsById.value.get(id)?.name
  if (type === 'pool') return pools.value.find((pool) => pool.id === id)?.name
  return undefined
}

function Picture({ id, name }: { id: string; name: string }) {
  const isGone = useSignal(false)
  if (isGone.value) return <>{name}</>
  return (
    <img
      src={mediaUrl(id, 'thumbnail')}
      alt={name}
      loading="lazy"
      onError={() => {
        isGone.value = true
      }}
    />
  )
}

const hrefs: Record<string, (id: string) => string> = {
  file: (id) => `/f/${id}`,
  pool: (id) => `/albums/${id}`,
}
