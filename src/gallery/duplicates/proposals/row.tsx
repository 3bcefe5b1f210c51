import { Check, ChevronDown, ChevronUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { moment } from '../../base/format.ts'
import { mediaUrl } from '../../base/media.ts'
import { Icon } from '../../parts/icon.tsx'
import { complainUnlessLost } from '../../parts/toast.tsx'
import { duplicates } from '../../text/duplicates.ts'
import { localTime } from '../../viewer/facts.ts'
import type { Facts } from '../facts.ts'
import { megapixels } from '../rows.ts'
import type { File } from '../sides.ts'
import type { Files } from './files.ts'
import { Opened } from './opened.tsx'
import type { Proposal } from './plan.ts'

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
        <span class="rest">
          <b>{kept ? name : '…'}</b> <span class="muted small num">{aboutCopies(item, files)}</span>
          <br />
          <Gains gains={item.gains} />
        </span>
        {!isOpen && (
          <button type="button" class="btn wide" onClick={settle}>
            {words.doThis}
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

/** Returns how many copies there are or, for smaller ones, how many pixels each has. */
function aboutCopies({ why, keep, discard }: Proposal, files: Files): string {
  const words = duplicates()
  const kept = files.get(keep)
  const others = discard.slice(0, SMALL).map((id) => files.get(id))
  const isKnown = kept && others.every((file) => file !== undefined)
  if (why === 'identical' || !isKnown || discard.length > SMALL) return words.copies(discard.length)
  const pixels = ({ width, height }: File) =>
    words.megapixels(megapixels((width ?? 0) * (height ?? 0)))
  return words.instead(pixels(kept), others.map((file) => pixels(file!)).join(', '))
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
    date && named(words.theDate, moment(localTime(date))),
    notes !== null && named(words.theNote, `“${notes}”`),
  ].filter(Boolean)
  if (parts.length === 0) return <span class="why muted">{words.gainsNothing}</span>
  return (
    <span class="why">
      {words.gains} {parts.flatMap((part, place) => (place === 0 ? [part] : [', ', part]))}
    </span>
  )
}
