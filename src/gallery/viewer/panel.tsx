import { type Signal, useSignal } from '@preact/signals'
import { PanelRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../client/index.ts'
import { type Cell, isLocked } from '../base/listing.ts'
import { stored } from '../base/preferences.ts'
import { looksOnly } from '../base/session.ts'
import { Grip } from '../parts/grip.tsx'
import { Tool } from '../parts/tool.tsx'
import { viewer } from '../text/viewer.ts'
import { Details, LockedTags } from './details.tsx'
import type { Subject } from './subject.ts'

/** Whether the user has the panel open, unless it has a foot. */
export const panelState = stored<'open' | 'closed'>('panel', (value) =>
  value === 'open' || value === 'closed' ? value : innerWidth > 900 ? 'open' : 'closed',
)

/** The foot of the panel has to be available all the time. */
export function isPanelOpen({ foot }: { foot?: ComponentChildren }): boolean {
  return foot !== undefined || panelState.value === 'open'
}

interface PanelProps {
  file: Schemas['File'] | undefined
  cell: Cell | null
  subject: Subject | null
  isNoting: Signal<boolean>
  save(update: Schemas['FileUpdate']): Promise<boolean>
  takeApart: (() => void) | undefined
  panel?: ComponentChildren
  foot?: ComponentChildren
}

/** Shows what is known about the file beside it, if the panel is open. */
export function Panel(props: PanelProps) {
  const { file, cell, subject, isNoting, save, takeApart, panel, foot } = props
  const words = viewer()
  // Whether only the foot of the panel is shown, on phones.
  const isFolded = useSignal(false)
  const pull = () => {
    if (foot) isFolded.value = !isFolded.value
    else panelState.value = 'closed'
  }
  if (!isPanelOpen({ foot })) return null
  return (
    <aside class={isFolded.value ? 'panel folded' : 'panel'} aria-label={words.info}>
      <Grip label={words.info} isOpen={!isFolded.value} act={pull} />
      {areTagsTools(cell) ? panel : file && <LockedTags file={file} />}
      {file && subject && (
        <Details file={file} {...subject} isNoting={isNoting} save={save} takeApart={takeApart} />
      )}
      {foot}
    </aside>
  )
}

/** Those who only look get the tools once it is clear that they may use them. */
function areTagsTools(cell: Cell | null): boolean {
  return cell ? !isLocked(cell) : !looksOnly()
}

/** The button that opens and closes the panel. */
export function PanelTool() {
  const isOpen = panelState.value === 'open'
  return (
    <Tool
      label={viewer().info}
      icon={PanelRight}
      isOn={isOpen}
      act={() => {
        panelState.value = isOpen ? 'closed' : 'open'
      }}
    />
  )
}
