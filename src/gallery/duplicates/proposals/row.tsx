import { Check, ChevronDown, ChevronUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { mediaUrl } from '../../base/media.ts'
import { session } from '../../base/session.ts'
import { Icon, Kbd } from '../../parts/icon.tsx'
import { complainUnlessLost } from '../../parts/toast.tsx'
import { duplicates } from '../../text/duplicates.ts'
import { viewer } from '../../text/viewer.ts'
import { takenOf } from '../../viewer/facts.ts'
import type { Facts, Files } from '../facts.ts'
import { seenBy } from '../rows.ts'
import type { File } from '../sides.ts'
import type { Proposal } from './plan.ts'

const SHOWN = 5

interface OpenedProps {
  item: Proposal
  files: Files
  facts: Facts
  settle(): void
  keepAll(): void
  byHand(): void
}

/** Shows the files of a proposal, with what the kept one gains in green. */
function Opened({ item, files, facts, settle, keepAll, byHand }: OpenedProps) {
  const words = duplicates()
  const ids = [item.keep, ...item.discard.slice(0, SHOWN)]
  const all = ids.flatMap((id) => files.get(id) ?? [])
  useEffect(() => {
    files.want(ids).catch(complainUnlessLost)
  }, [item])
  useEffect(() => {
    facts.want(all).catch(complainUnlessLost)
  }, [all.length])
  const others = all.filter(({ id }) => id !== item.keep)
  return (
    <div class="opened">
      <div class="look">
        {ids.map((id) => {
          const file = files.get(id)
          const own = id === item.keep ? others : null
          // The room is there before the file, or else what is below would jump.
          if (!file) return <Room key={id} />
          return <Look key={id} file={file} facts={facts} item={item} others={own} />
        })}
      </div>
      {item.discard.length > SHOWN && (
        <p class="muted small">{words.moreFiles(item.discard.length - SHOWN)}</p>
      )}
      <div class="btns">
        <button type="button" class="btn primary" onClick={settle}>
          <Icon of={Check} />
          {words.doThis[item.why]} <Kbd of="Enter" />
        </button>
        <button type="button" class="btn" onClick={byHand}>
          <span class="long">{words.byHand}</span>
          <span class="short">{words.byHandShort}</span>
        </button>
        <button type="button" class="btn" onClick={keepAll}>
          <span class="long">{words.keepAll}</span>
          <span class="short">{words.keepAllShort}</span>
          <Kbd of="k" />
        </button>
        <span class="muted small long">{words.seenAfter}</span>
      </div>
    </div>
  )
}

function Room() {
  return (
    <figure class="room">
      <div />
    </figure>
  )
}

interface LookProps {
  file: File
  facts: Facts
  item: Proposal
  /** Null until they are read. */
  others: File[] | null
}

function Look({ file, facts, item, others }: LookProps) {
  const words = duplicates()
  const self = session.value!.user.name
  const { tags, pools, notes, date } = item.gains
  const names = (of: { name: string }[]) => of.map(({ name }) => name)
  const isKept = others !== null
  return (
    <figure>
      <div>
        <img src={mediaUrl(file.id, 'preview', { v: file.version })} alt="" />
        <span class={isKept ? 'pill keep' : 'pill'}>
          {isKept && <Icon of={Check} />}
          {isKept ? words.kept : words.lost}
        </span>
      </div>
      <dl class="facts">
        <Fact name={words.name} own={file.original_name ?? words.noName} />
        <Fact
          name={viewer().taken}
          own={takenOf(file)}
          more={isKept && date ? [takenOf(date)] : []}
        />
        <Fact
          name={words.tags}
          own={names(file.tags).join(', ')}
          more={isKept ? names(tags) : []}
        />
        <Fact
          name={words.pools}
          own={(facts.poolsOf(file) ?? []).join(', ')}
          more={isKept ? names(pools) : []}
        />
        {(file.notes || notes) && (
          <Fact
            name={viewer().notes}
            own={file.notes ?? ''}
            more={isKept && notes ? [notes] : []}
          />
        )}
        <Fact
          name={viewer().seenBy}
          own={seenBy(file, facts.viewersOf(file), self)}
          more={others ? newViewers(file, others, facts) : []}
        />
      </dl>
    </figure>
  )
}

function Fact({ name, own, more = [] }: { name: string; own: string; more?: string[] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {own || (more.length === 0 && duplicates().none)}{' '}
        {more.length > 0 && <b class="plus">+ {more.join(', ')}</b>}
      </dd>
    </>
  )
}

/** Returns the users that will see the kept file only because of what it gains. */
function newViewers(file: File, others: File[], facts: Facts): string[] {
  const before = facts.viewersOf(file)
  if (before.isPublic) return []
  const after = others.map((other) => facts.viewersOf(other))
  if (after.some(({ isPublic }) => isPublic)) return [viewer().everybody]
  const names = new Set(after.flatMap((one) => one.names))
  return [...names].filter((name) => !before.names.includes(name))
}

const SMALL = 2

interface RowProps {
  item: Proposal
  files: Files
  facts: Facts
  isOpen: boolean
  open(isOpen: boolean): void
  settle(): void
  keepAll(): void
  byHand(): void
}

/** Shows a proposal; opened, with everything that is known about its files. */
export function Row(props: RowProps) {
  const { item, files, isOpen, open, settle } = props
  const words = duplicates()
  const row = useRef<HTMLLIElement>(null)
  const kept = files.get(item.keep)
  const small = item.discard.slice(0, SMALL)
  useEffect(() => {
    // Rows that are never scrolled to request nothing.
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry!.isIntersecting) return
      observer.disconnect()
      files.want([item.keep, ...small]).catch(complainUnlessLost)
    })
    observer.observe(row.current!)
    return () => observer.disconnect()
  }, [item])
  useEffect(() => {
    if (isOpen) row.current!.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const name = kept?.original_name ?? words.unnamed
  return (
    <li ref={row}>
      <div class="prop">
        <Pictures kept={kept} small={small} files={files} />
        <span class="rest">
          <b>{kept ? name : '…'}</b> <span class="muted small num">{aboutCopies(item)}</span>
          <br />
          <Gains gains={item.gains} />
        </span>
        {!isOpen && (
          <button type="button" class="btn wide" onClick={settle}>
            {words.doThis[item.why]}
          </button>
        )}
        <button
          type="button"
          class="btn icononly quiet"
          aria-expanded={isOpen}
          aria-label={words.details(name)}
          onClick={() => open(!isOpen)}
        >
          <Icon of={isOpen ? ChevronUp : ChevronDown} />
        </button>
      </div>
      {isOpen && <Opened {...props} />}
    </li>
  )
}

interface PicturesProps {
  kept: File | undefined
  /** The ids of the discarded files that are shown. */
  small: string[]
  files: Files
}

function Pictures({ kept, small, files }: PicturesProps) {
  return (
    <>
      <span class="mini kept">
        {kept && <img src={mediaUrl(kept.id, 'thumbnail', { v: kept.version })} alt="" />}
        <span class="tick">
          <Icon of={Check} />
        </span>
      </span>
      <span class="losers">
        {small.map((id) => {
          const file = files.get(id)
          return (
            <span key={id} class="mini lost">
              {file && <img src={mediaUrl(id, 'thumbnail', { v: file.version })} alt="" />}
            </span>
          )
        })}
      </span>
    </>
  )
}

/** Returns how many copies there are, and whether they are smaller. */
function aboutCopies({ why, discard }: Proposal): string {
  const words = duplicates()
  return why === 'smaller' ? words.smaller(discard.length) : words.copies(discard.length)
}

function Gains({ gains }: { gains: Proposal['gains'] }) {
  const words = duplicates()
  const { tags, pools, notes, date } = gains
  const named = (name: string, what: string): ComponentChildren => (
    <span key={name}>
      {name} <b>{what}</b>
    </span>
  )
  const list = (of: { name: string }[]) => of.map(({ name }) => name).join(', ')
  const parts = [
    tags.length > 0 && named(words.theTags(tags.length), list(tags)),
    pools.length > 0 && named(words.thePools(pools.length), list(pools)),
    date && named(words.theDate, takenOf(date)),
    notes !== null && named(words.theNote, `“${notes}”`),
  ].filter(Boolean)
  if (parts.length === 0) return <span class="why muted">{words.gainsNothing}</span>
  return (
    <span class="why">
      {words.gains} {parts.flatMap((part, place) => (place === 0 ? [part] : [', ', part]))}
    </span>
  )
}
