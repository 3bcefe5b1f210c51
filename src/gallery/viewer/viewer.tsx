import { useSignal } from '@preact/signals'
import { ChevronLeft, Download, Images, PanelRight, Pause, Play, Trash2, ZoomIn } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import { type Cell, isLocked } from '../base/listing.ts'
import { mediaUrl } from '../base/media.ts'
import { stored } from '../base/preferences.ts'
import { useResource } from '../base/resource.ts'
import { remember, undone } from '../base/undo/undo.ts'
import type { Files } from '../grid/index.ts'
import { Modal } from '../parts/dialog.tsx'
import { Grip } from '../parts/grip.tsx'
import { Icon } from '../parts/icon.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { viewer } from '../text/viewer.ts'
import { Details, LockedTags } from './details.tsx'
import type { Swipe } from './gestures.ts'
import { preload } from './layer.tsx'
import { Film, Lost, Photo, type PhotoControls } from './photo.tsx'
import { Alike, Strip, useNeighbours } from './strip.tsx'
import { type Subject, subjectOf } from './subject.ts'
import { Arrow, ShareTool, Tool } from './tools.tsx'

interface ViewerProps {
  files: Files
  id: string
  isInTrash?: boolean
  onGo(id: string): void
  onClose(): void
  /** Called when the only file was moved to the trash; by default the viewer closes. */
  onLastGone?(): void
  /** Shown beside the way back; by default the file's name. */
  title?: ComponentChildren
  panel?: ComponentChildren
  tools?: ComponentChildren
  isPlayed?: boolean
  foot?: ComponentChildren
  /** Keys of the screen, such as Space of the inbox; without them Space starts the slideshow. */
  keys?: Keys
}

/** Milliseconds that a slideshow shows a picture. */
const PACE = 5000
const panelState = stored<'open' | 'closed'>('panel', (value) =>
  value === 'open' || value === 'closed' ? value : innerWidth > 900 ? 'open' : 'closed',
)

/** The foot of the panel has to be available all the time. */
function isPanelOpen({ foot }: ViewerProps): boolean {
  return foot !== undefined || panelState.value === 'open'
}

/** Shows one file, as large as there is room, above the grid that it came from. */
export function Viewer(props: ViewerProps) {
  return (
    <Modal
      label={viewer().label}
      class={isPanelOpen(props) ? 'viewer' : 'viewer alone'}
      onClose={props.onClose}
    >
      <Inside {...props} />
    </Modal>
  )
}

function Inside(props: ViewerProps) {
  const { files, id, isInTrash, onGo, onClose, onLastGone, title, panel, tools, foot, keys } = props
  const words = viewer()
  const download = useRef<HTMLAnchorElement>(null)
  const controls = useRef<PhotoControls | null>(null)
  const isPlaying = useSignal(props.isPlayed ?? false)
  const isNoting = useSignal(false)
  const isAlikeShown = useSignal(false)
  // Whether only the foot of the panel is shown, on phones.
  const isFolded = useSignal(false)
  // The file of which more than the placeholder is visible.
  const shownId = useSignal<string | null>(null)
  const wanted = useSignal(id)
  if (wanted.peek() !== id) wanted.value = id
  const loaded = useResource(async (signal) => {
    const path = { file_id: wanted.value }
    // An undo may have changed it.
    void undone.value
    return ask(api.GET('/api/v1/files/{file_id}', { params: { path }, signal }))
  })
  const file = loaded.data.value?.id === id ? loaded.data.value : undefined
  const around = useNeighbours(files, id)
  const position = files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  const subject = subjectOf(id, cell, file)
  const mayTrash = subject?.mayEdit && !isInTrash

  const step = (to: Cell | null) => {
    isNoting.value = false
    if (to) onGo(to.id)
  }
  const swipe = (way: Swipe) => {
    if (way === 'down') onClose()
    else step(way === 'left' ? around.next : around.previous)
  }
  const advance = () => {
    if (around.next) step(around.next)
    else isPlaying.value = false
  }
  const play = () => {
    isPlaying.value = !isPlaying.value
  }
  const compare = () => {
    isAlikeShown.value = !isAlikeShown.value
  }
  const moveToTrash = async () => {
    if (!mayTrash) return
    const next = around.next ?? around.previous
    if (next) step(next)
    else (onLastGone ?? onClose)()
    files.remove([id])
    try {
      const params = { path: { file_id: id } }
      const { operation } = await act(api.DELETE('/api/v1/files/{file_id}', { params }))
      toast({ text: words.trashed, operation })
    } catch (error) {
      complain(error)
      await files.refresh().catch(complain)
    }
  }
  const save = async (update: Schemas['FileUpdate']): Promise<boolean> => {
    try {
      const params = { path: { file_id: id } }
      const call = api.PATCH('/api/v1/files/{file_id}', { params, body: update })
      const { data, operation } = await act(call)
      if (operation) remember(operation)
      if (wanted.peek() === data.id) loaded.data.value = data
      // With another date it has another place in the listing.
      const shown = update.content_datetime === undefined ? files.renew([id]) : files.refresh()
      shown.catch(complain)
      return true
    } catch (error) {
      complain(error)
      return false
    }
  }

  useKeys(
    'viewer',
    {
      ArrowLeft: () => step(around.previous),
      ArrowRight: () => step(around.next),
      z: () => controls.current?.toggle(),
      '+': () => controls.current?.zoom(1.5),
      '-': () => controls.current?.zoom(1 / 1.5),
      Space: play,
      i: () => {
        panelState.value = panelState.value === 'open' ? 'closed' : 'open'
      },
      n: () => {
        panelState.value = 'open'
        if (subject?.mayEdit) isNoting.value = true
      },
      d: () => download.current?.click(),
      m: compare,
      Delete: () => void moveToTrash(),
      ...keys,
    },
    { isModal: true },
  )
  const isShown = shownId.value === id
  useEffect(() => {
    if (!isShown) return
    preload(around.next)
    preload(around.previous)
  }, [isShown, around.next?.id, around.previous?.id])
  useEffect(() => {
    if (!isPlaying.value || !isShown || subject?.isFilm) return
    const timer = setTimeout(advance, PACE)
    return () => clearTimeout(timer)
  }, [isPlaying.value, isShown, id])

  const isOpen = isPanelOpen(props)
  const pull = () => {
    if (foot) isFolded.value = !isFolded.value
    else panelState.value = 'closed'
  }
  return (
    <>
      {/* Not the way back, which Enter would trigger. */}
      <div class="stage" tabIndex={-1} autofocus>
        <div class="top">
          <Tool label={words.back} icon={ChevronLeft} act={onClose} />
          <h1 class="title">{title ?? subject?.name ?? '…'}</h1>
          {!keys?.Space && (
            <Tool
              label={isPlaying.value ? words.stopSlideshow : words.slideshow}
              icon={isPlaying.value ? Pause : Play}
              isSpare
              act={play}
            />
          )}
          {!subject?.isFilm && (
            <Tool label={words.zoom} icon={ZoomIn} isSpare act={() => controls.current?.toggle()} />
          )}
          <a
            class="tool"
            ref={download}
            href={mediaUrl(id, 'content')}
            download=""
            aria-label={words.download}
            title={words.download}
          >
            <Icon of={Download} />
          </a>
          {subject?.mayShare && !isInTrash && (
            <ShareTool
              id={id}
              onShared={() => {
                void loaded.reload()
                files.renew([id]).catch(complain)
              }}
            />
          )}
          <Tool label={words.alike} icon={Images} isOn={isAlikeShown.value} act={compare} />
          {tools}
          {mayTrash && <Tool label={words.trash} icon={Trash2} act={moveToTrash} />}
          {!foot && (
            <Tool
              label={words.info}
              icon={PanelRight}
              isOn={isOpen}
              act={() => {
                panelState.value = isOpen ? 'closed' : 'open'
              }}
            />
          )}
        </div>
        <div class="show">
          {subject && (
            <Shown
              subject={subject}
              isPlaying={isPlaying.value}
              controls={controls}
              onSwipe={swipe}
              onEnded={() => isPlaying.peek() && advance()}
              onShown={() => {
                shownId.value = id
              }}
            />
          )}
          {!subject && loaded.error.value && (
            <Lost error={loaded.error.value} retry={() => void loaded.reload()} />
          )}
          {around.previous && (
            <Arrow side="previous" label={words.previous} act={() => step(around.previous)} />
          )}
          {around.next && <Arrow side="next" label={words.next} act={() => step(around.next)} />}
        </div>
        {isAlikeShown.value ? (
          <Alike key={id} id={id} />
        ) : (
          <Strip files={files} id={id} onGo={onGo} />
        )}
      </div>
      {isOpen && (
        <aside class={isFolded.value ? 'panel folded' : 'panel'} aria-label={words.info}>
          <Grip label={words.info} isOpen={!isFolded.value} act={pull} />
          {cell && isLocked(cell) ? file && <LockedTags file={file} /> : panel}
          {file && subject && (
            <Details file={file} mayEdit={subject.mayEdit} isNoting={isNoting} save={save} />
          )}
          {foot}
        </aside>
      )}
    </>
  )
}

interface ShownProps {
  subject: Subject
  isPlaying: boolean
  controls: { current: PhotoControls | null }
  onSwipe(way: Swipe): void
  onEnded(): void
  onShown(): void
}

function Shown({ subject, isPlaying, controls, onSwipe, onEnded, onShown }: ShownProps) {
  useEffect(() => {
    if (subject.isFilm) onShown()
  }, [subject.id, subject.isFilm])
  if (!subject.isFilm) {
    return <Photo subject={subject} controls={controls} onSwipe={onSwipe} onShown={onShown} />
  }
  return <Film key={subject.id} subject={subject} isPlayed={isPlaying} onEnded={onEnded} />
}
