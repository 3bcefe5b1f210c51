import {
  ChevronLeft,
  Download,
  Ellipsis,
  Heart,
  Images,
  Play,
  RotateCcw,
  RotateCw,
  ZoomIn,
} from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import type { Keys } from '../base/keys.ts'
import { mediaUrl } from '../base/media.ts'
import { downloadPair } from '../bulk/index.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Tool } from '../parts/tool.tsx'
import { viewer } from '../text/viewer.ts'
import type { PhotoControls } from './photo.tsx'
import type { Subject } from './subject.ts'
import { PlaceLink, ShareTool } from './tools.tsx'

/** What buttons and keys do to the file. */
export interface Acts {
  compare(): void
  moveToTrash(): Promise<void>
  note(): void
  heart(): void
  /** Turns it clockwise, by degrees. */
  turn(by: 90 | 270): void
  /** Called after the file was shared. */
  shared(): void
}

interface BarProps {
  id: string
  subject: Subject | null
  isInTrash?: boolean
  isAlikeShown: boolean
  mayTurn: boolean
  acts: Acts
  controls: { current: PhotoControls | null }
  download: RefObject<HTMLAnchorElement | null>
  title?: ComponentChildren
  tools?: ComponentChildren
  keys?: Keys
  play?(): void
  onClose(): void
  /** The last buttons. */
  children: ComponentChildren
}

/** The bar above the picture. */
export function Bar(props: BarProps) {
  const { id, subject, isInTrash, acts, controls, title, tools, keys, play, onClose } = props
  const { mayTurn } = props
  const words = viewer()
  return (
    <div class="top">
      <Tool label={words.back} icon={ChevronLeft} act={onClose} />
      <h1 class={title ? 'title' : 'title taken'}>
        {title ?? (subject ? subject.taken : '…')}
        {!title && subject?.place && (
          <>
            {' '}
            <PlaceLink place={subject.place} />
          </>
        )}
      </h1>
      {play && <Tool label={words.slideshow} icon={Play} isSpare act={play} />}
      {!subject?.isFilm && (
        <Tool label={words.zoom} icon={ZoomIn} isSpare act={() => controls.current?.toggle()} />
      )}
      <a
        // The inbox has its count beside the buttons.
        class={keys?.Space ? 'tool spare' : 'tool'}
        ref={props.download}
        href={mediaUrl(id, 'content')}
        download=""
        onClick={(event) => !isInTrash && downloadPair(event, id)}
        aria-label={words.download}
        title={words.download}
      >
        <Icon of={Download} />
      </a>
      {!isInTrash && (
        <Tool
          label={words.favourite}
          icon={Heart}
          look="heart"
          isOn={subject?.isFavourite ?? false}
          act={acts.heart}
        />
      )}
      {subject?.mayShare && !isInTrash && <ShareTool id={id} onShared={acts.shared} />}
      {mayTurn && (
        <Tool label={words.turnRight} icon={RotateCw} isSpare act={() => acts.turn(90)} />
      )}
      <Tool
        label={words.alike}
        icon={Images}
        isOn={props.isAlikeShown}
        isSpare={play !== undefined || mayTurn}
        act={acts.compare}
      />
      {tools}
      {props.children}
      {(play || mayTurn) && <More {...acts} play={play} mayTurn={mayTurn} />}
    </div>
  )
}

/** On phones, what there is no room for. */
function More({ turn, compare, play, mayTurn }: Acts & Pick<BarProps, 'play' | 'mayTurn'>) {
  const words = viewer()
  return (
    <Menu
      label={words.more}
      class="tool unspared"
      items={[
        play && { text: words.slideshow, icon: Play, act: play },
        mayTurn && { text: words.turnLeft, icon: RotateCcw, act: () => turn(270) },
        mayTurn && { text: words.turnRight, icon: RotateCw, act: () => turn(90) },
        { text: words.alike, icon: Images, act: compare },
      ].filter((item) => !!item)}
    >
      <Icon of={Ellipsis} />
    </Menu>
  )
}
