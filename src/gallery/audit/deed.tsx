import { useSignal } from '@preact/signals'
import { number, when } from '../base/format.ts'
import { mediaUrl } from '../base/media.ts'
import { pools } from '../pool-box/index.ts'
import { tagsById } from '../tag-box/index.ts'
import { audit as text } from '../text/audit.ts'
import { countActions, type Entry, factsOf, subjectOf } from './entries.ts'

interface DoneProps {
  entries: Entry[]
  /** Whether the list ends with these entries, so that there may be more. */
  isCut?: boolean
  /**
   * Whether a file without a name in its entry is shown as a picture; false where all entries are about
   * one file.
   */
  withPictures?: boolean
}

/**
 * Shows what was done, by whom and when; for several entries how many, and each with its time on
 * request.
 */
export function Done({ entries, isCut, withPictures = false }: DoneProps) {
  const words = text()
  const isOpen = useSignal(false)
  const [newest] = entries
  return (
    <div class="rest">
      <p class="muted small num">
        <b>{newest!.user_id === 0 ? words.server : newest!.user_name}</b> ·{' '}
        <time dateTime={newest!.performed_at}>{when(newest!.performed_at)}</time>
      </p>
      {entries.length === 1 ? (
        <One entry={newest!} withPictures={withPictures} />
      ) : (
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open
          }}
        >
          <summary>
            {[...countActions(entries)]
              .map(([action, count]) => `${words.action(action)}: ${number(count)}`)
              .join(', ')}
            {isCut && ' …'}
          </summary>
          {isOpen.value && (
            <ul>
              {entries.map((entry) => (
                <li key={entry.id}>
                  <One entry={entry} withPictures={withPictures} />
                </li>
              ))}
            </ul>
          )}
        </details>
      )}
    </div>
  )
}

function One({ entry, withPictures }: { entry: Entry; withPictures: boolean }) {
  const words = text()
  const { action, object_type, object_id } = entry
  const subject = subjectOf(entry) ?? (object_id && nameOf(object_type!, object_id))
  const name = subject ?? (object_type && words.objects[object_type])
  const href = object_id && hrefs[object_type!]?.(object_id)
  const facts = factsOf(entry, (id) => tagsById.value.get(id)?.name)
  return (
    <>
      <p>
        {words.action(action)}
        {name && ' '}
        {href ? (
          <a class="link" href={href}>
            {!subject && object_type === 'file' && withPictures ? (
              <Picture id={object_id} name={words.objects.file!} />
            ) : (
              name
            )}
          </a>
        ) : (
          name && <b>{name}</b>
        )}
      </p>
      {facts.length > 0 && <p class="muted small">{facts.join(' · ')}</p>}
    </>
  )
}

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
