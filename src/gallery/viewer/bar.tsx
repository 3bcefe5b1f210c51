import type { Signal } from '@preact/signals'
import { ChevronLeft, Download, Images, Pause, Play, ZoomIn } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { moment } from '../base/format.ts'
import type { Keys } from '../base/keys.ts'
import { mediaUrl } from '../base/media.ts'
import { Icon } from '../parts/icon.tsx'
import { viewer } from '../text/viewer.ts'
import type { PhotoControls } from './photo.tsx'
import type { Subject } from './subject.ts'
import { ShareTool, Tool } from './tools.tsx'

/** What buttons and keys do to the file. */
export interface Acts {
  play(): void
  compare(): void
  moveToTrash(): Promise<void>
  note(): void
  /** Called after the file was shared. */
  shared(): void
}

interface BarProps {
  id: string
  subject: Subject | null
  isInTrash?: boolean
  isPlaying: Signal<boolean>
  isAlikeShown: boolean
  acts: Acts
  controls: { current: PhotoControls | null }
  download: RefObject<HTMLAnchorElement | null>
  title?: ComponentChildren
  tools?: ComponentChildren
  keys?: Keys
  onClose(): void
  /** The last buttons. */
  children: ComponentChildren
}

/** The bar above the picture. */
export function Bar(props: BarProps) {
  const { id, subject, isInTrash, acts, controls, title, tools, keys, onClose, children } = props
  const words = viewer()
  const isPlaying = props.isPlaying.value
  return (
    <div class="top">
      <Tool label={words.back} icon={ChevronLeft} act={onClose} />
      <h1 class={title ? 'title' : 'title taken'}>
        {title ?? (subject ? moment(subject.taken) : '…')}
      </h1>
      {!keys?.Space && (
        <Tool
          label={isPlaying ? words.stopSlideshow : words.slideshow}
          icon={isPlaying ? Pause : Play}
          isSpare
          act={acts.play}
        />
      )}
      {!subject?.isFilm && (
        <Tool label={words.zoom} icon={ZoomIn} isSpare act={() => controls.current?.toggle()} />
      )}
      <a
        class="tool"
        ref={props.download}
        href={mediaUrl(id, 'content')}
        download=""
        aria-label={words.download}
        title={words.download}
      >
        <Icon of={Download} />
      </a>
      {subject?.mayShare && !isInTrash && <ShareTool id={id} onShared={acts.shared} />}
      <Tool label={words.alike} icon={Images} isOn={props.isAlikeShown} act={acts.compare} />
      {tools}
      {children}
    </div>
  )
}
