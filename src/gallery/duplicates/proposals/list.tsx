import { useSignal } from '@preact/signals'
import { Check } from 'lucide'
import { useEffect } from 'preact/hooks'
import { bytes, number } from '../../base/format.ts'
import { useKeys } from '../../base/keys.ts'
import { Icon, Kbd } from '../../parts/icon.tsx'
import { complainUnlessLost } from '../../parts/toast.tsx'
import { duplicates } from '../../text/duplicates.ts'
import type { Facts, Files } from '../facts.ts'
import type { File } from '../sides.ts'
import { keyOf, type Plan, type Proposal, type Why } from './plan.ts'
import { Row } from './row.tsx'

/** How many rows of a list are rendered until more are wanted. */
const ROWS = 50

interface ProposalsProps {
  plan: Plan
  files: Files
  facts: Facts
  /** The first file is the one to keep. */
  byHand(files: File[]): void
}

/** Shows all proposals, to be carried out after one look. */
export function Proposals(props: ProposalsProps) {
  const { plan, files, byHand } = props
  const items = plan.items.value!
  const { open } = plan
  const openItem = items.find((item) => keyOf(item) === open.value)
  const go = (by: number) => {
    const place = openItem ? items.indexOf(openItem) + by : 0
    const item = items[Math.min(items.length - 1, Math.max(0, place))]
    open.value = item ? keyOf(item) : null
  }
  const leave = (item: Proposal) => {
    const place = items.indexOf(item)
    const next = items[place + 1] ?? items[place - 1]
    open.value = next ? keyOf(next) : null
  }
  const settle = (item: Proposal) => {
    leave(item)
    plan.settle(item)
  }
  const keepAll = (item: Proposal) => {
    leave(item)
    plan.keepAll(item)
  }
  useKeys('proposals', {
    Enter: () => openItem && settle(openItem),
    'Shift+Enter': () => void plan.settleAll((openItem ?? items[0]!).why),
    k: () => openItem && keepAll(openItem),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
  })
  useEffect(() => {
    // The next one, so that it is loaded by then.
    const next = openItem && items[items.indexOf(openItem) + 1]
    if (next) files.want([next.keep, ...next.discard.slice(0, 5)]).catch(complainUnlessLost)
  }, [openItem])
  const choose = async (item: Proposal) => {
    const ids = [item.keep, ...item.discard]
    await files.want(ids)
    byHand(ids.flatMap((id) => files.get(id) ?? []))
  }
  return (
    <div class="page plans">
      {(['identical', 'smaller'] as const).map((why) => (
        <Section
          key={why}
          why={why}
          {...props}
          items={items.filter((item) => item.why === why)}
          isMain={why === (openItem ?? items[0]!).why}
          settle={settle}
          keepAll={keepAll}
          choose={(item) => void choose(item).catch(complainUnlessLost)}
        />
      ))}
    </div>
  )
}

interface SectionProps extends ProposalsProps {
  why: Why
  items: Proposal[]
  isMain: boolean
  settle(item: Proposal): void
  keepAll(item: Proposal): void
  choose(item: Proposal): void
}

function Section(props: SectionProps) {
  const { items, plan, files, facts, settle, keepAll, choose } = props
  const { open } = plan
  const words = duplicates()
  const rows = useSignal(ROWS)
  if (items.length === 0) return null
  return (
    <section class="plan">
      <Heading {...props} />
      <ul>
        {items.slice(0, rows.value).map((item) => (
          <Row
            key={keyOf(item)}
            item={item}
            files={files}
            facts={facts}
            isOpen={open.value === keyOf(item)}
            open={(isOpen) => {
              open.value = isOpen ? keyOf(item) : null
            }}
            settle={() => settle(item)}
            keepAll={() => keepAll(item)}
            byHand={() => choose(item)}
          />
        ))}
      </ul>
      {items.length > rows.value && (
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            rows.value += ROWS
          }}
        >
          {words.showMore}
        </button>
      )}
    </section>
  )
}

function Heading({ why, items, isMain, plan, files }: SectionProps) {
  const words = duplicates()
  // Proposals that are not loaded yet belong to the last kind that is.
  const isMore = plan.isMore.value && plan.items.value!.at(-1)!.why === why
  const heading = words.headings[why](items.length)
  const running = plan.running.value
  return (
    <header>
      <div class="rest">
        <h2>{isMore ? words.andMore(heading) : heading}</h2>
        <p class="muted small num" role="status">
          {running === null
            ? `${words.reasons[why]} ${isMore ? '' : discardedBy(items, files)}`
            : words.underWay(number(running))}
        </p>
      </div>
      <button
        type="button"
        class={isMain ? 'btn primary' : 'btn'}
        disabled={running !== null}
        onClick={() => void plan.settleAll(why)}
      >
        {isMain && <Icon of={Check} />}
        {isMore ? words.doAllOfMore : words.doAll(number(items.length))}
        {isMain && <Kbd of="Shift+Enter" />}
      </button>
    </header>
  )
}

/** Returns how many files go to the trash, with their size if it is known for all. */
function discardedBy(items: Proposal[], files: Files): string {
  const words = duplicates()
  const count = items.reduce((sum, { discard }) => sum + discard.length, 0)
  let size = 0
  for (const { why, keep, discard } of items) {
    // Equal contents are equally large.
    for (const id of discard) size += files.get(why === 'identical' ? keep : id)?.size ?? Number.NaN
  }
  return Number.isNaN(size) ? words.toTheTrash(count) : words.toTheTrashWith(count, bytes(size))
}
