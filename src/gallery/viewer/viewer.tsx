import { type Signal, useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { isLost } from '../base/connection.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import type { Cell } from '../base/listing.ts'
import { type Resource, useResource } from '../base/resource.ts'
import { looks } from '../base/returning.ts'
import { remember, undone } from '../base/undo/undo.ts'
import type { Files } from '../grid/index.ts'
import { Modal } from '../parts/dialog.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { viewer } from '../text/viewer.ts'
import { type Acts, Bar } from './bar.tsx'
import type { Swipe } from './gestures.ts'
import { preload } from './layer.tsx'
import { isPanelOpen, Panel, PanelTool, panelState } from './panel.tsx'
import { Film, Lost, Photo, type PhotoControls, Waiting } from './photo.tsx'
import { Alike, type Neighbours, Strip, useNeighbours } from './strip.tsx'
import { type Subject, subjectOf } from './subject.ts'
import { Arrow, Tool } from './tools.tsx'

interface ViewerProps {
  files: Files
  id: string
  isInTrash?: boolean
  onGo(id: string): void
  onClose(): void
  /** Called when the only file was moved to the trash; by default the viewer closes. */
  onLastGone?(): void
  /** Shown beside the way back; by default when it was taken. */
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

/** Shows one file, as large as there is room, above the grid that it came from. */
export function Viewer(props: ViewerProps) {
  // Whether a tap has hidden everything but the picture.
  const isBare = useSignal(false)
  const bare = () => {
    isBare.value = !isBare.value && !props.foot
  }
  return (
    <Modal
      label={viewer().label}
      class={`viewer${isPanelOpen(props) ? '' : ' alone'}${isBare.value ? ' bare' : ''}`}
      onClose={props.onClose}
    >
      <Inside {...props} onTap={bare} />
    </Modal>
  )
}

function Inside(props: ViewerProps & { onTap(): void }) {
  const { files, id, isInTrash, onGo, foot } = props
  const { loaded, file, save } = useFile(files, id)
  const around = useNeighbours(files, id)
  const position = files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  const subject = subjectOf(id, cell, file)
  const mayTrash = Boolean(subject?.mayEdit && !isInTrash)
  const download = useRef<HTMLAnchorElement>(null)
  const controls = useRef<PhotoControls | null>(null)
  const isPlaying = useSignal(props.isPlayed ?? false)
  const isNoting = useSignal(false)
  const isAlikeShown = useSignal(false)
  const step = (to: Cell | null) => {
    isNoting.value = false
    if (to) onGo(to.id)
  }
  const acts: Acts = {
    play: () => {
      isPlaying.value = !isPlaying.value
    },
    compare: () => {
      isAlikeShown.value = !isAlikeShown.value
    },
    moveToTrash: async () => {
      if (mayTrash) await moveToTrash(props, around.next ?? around.previous, step)
    },
    note: () => {
      panelState.value = 'open'
      if (subject?.mayEdit) isNoting.value = true
    },
    shared: () => {
      void loaded.reload()
      files.renew([id]).catch(complain)
    },
  }
  useViewerKeys({ acts, around, step, controls, download }, props.keys)
  const look = { subject, isPlaying, controls }
  return (
    <>
      {/* Not the way back, which Enter would trigger. */}
      <div class="stage" tabIndex={-1} autofocus>
        <Bar {...props} {...look} acts={acts} download={download} isAlikeShown={isAlikeShown.value}>
          {mayTrash && (
            <Tool label={viewer().trash} icon={Trash2} act={() => void acts.moveToTrash()} />
          )}
          {!foot && <PanelTool />}
        </Bar>
        <Show {...props} {...look} loaded={loaded} around={around} step={step} />
        {isAlikeShown.value ? (
          <Alike key={id} id={id} />
        ) : (
          <Strip files={files} id={id} onGo={onGo} />
        )}
      </div>
      <Panel {...props} file={file} cell={cell} subject={subject} isNoting={isNoting} save={save} />
    </>
  )
}

/** Loads a file; `file` is undefined until it is there. */
function useFile(files: Files, id: string) {
  const wanted = useSignal(id)
  if (wanted.peek() !== id) wanted.value = id
  const loaded = useResource(async (signal) => {
    const path = { file_id: wanted.value }
    // An undo may have changed it, or another tab or user.
    void [undone.value, looks.value]
    return ask(api.GET('/api/v1/files/{file_id}', { params: { path }, signal }))
  })
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
  const file = loaded.data.value?.id === id ? loaded.data.value : undefined
  return { loaded, file, save }
}

async function moveToTrash(
  { files, id, onLastGone, onClose }: ViewerProps,
  next: Cell | null,
  step: (to: Cell) => void,
): Promise<void> {
  if (next) step(next)
  else (onLastGone ?? onClose)()
  files.remove([id])
  try {
    const params = { path: { file_id: id } }
    const { operation } = await act(api.DELETE('/api/v1/files/{file_id}', { params }))
    toast({ text: viewer().trashed, operation })
  } catch (error) {
    complain(error)
    await files.refresh().catch(complain)
  }
}

interface Steps {
  around: Neighbours
  step(to: Cell | null): void
  controls: { current: PhotoControls | null }
}

interface ViewerKeys extends Steps {
  acts: Acts
  download: RefObject<HTMLAnchorElement | null>
}

function useViewerKeys(
  { acts, around, step, controls, download }: ViewerKeys,
  keys: Keys | undefined,
): void {
  useKeys(
    'viewer',
    {
      ArrowLeft: () => step(around.previous),
      ArrowRight: () => step(around.next),
      z: () => controls.current?.toggle(),
      '+': () => controls.current?.zoom(1.5),
      '-': () => controls.current?.zoom(1 / 1.5),
      Space: () => (controls.current?.play ?? acts.play)(),
      i: () => {
        panelState.value = panelState.value === 'open' ? 'closed' : 'open'
      },
      n: acts.note,
      d: () => download.current?.click(),
      m: acts.compare,
      Delete: () => void acts.moveToTrash(),
      ...keys,
    },
    { isModal: true },
  )
}

interface ShowProps extends Steps {
  id: string
  subject: Subject | null
  isPlaying: Signal<boolean>
  loaded: Resource<Schemas['File']>
  onTap(): void
  onClose(): void
}

function Show(props: ShowProps) {
  const { id, subject, isPlaying, loaded, around, step, controls, onTap, onClose } = props
  const words = viewer()
  // The file of which more than the placeholder is visible.
  const shownId = useSignal<string | null>(null)
  const isShown = shownId.value === id
  const advance = () => {
    if (around.next) step(around.next)
    else isPlaying.value = false
  }
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
  return (
    <div class="show">
      {subject && (
        <Shown
          subject={subject}
          isPlaying={isPlaying.value}
          controls={controls}
          onTap={onTap}
          onSwipe={(way) => {
            if (way === 'down') onClose()
            else step(way === 'left' ? around.next : around.previous)
          }}
          onEnded={() => isPlaying.peek() && advance()}
          onShown={() => {
            shownId.value = id
          }}
        />
      )}
      {!isShown && <Waiting />}
      {!subject && loaded.error.value && !isLost.value && (
        <Lost error={loaded.error.value} retry={() => void loaded.reload()} />
      )}
      {around.previous && (
        <Arrow side="previous" label={words.previous} act={() => step(around.previous)} />
      )}
      {around.next && <Arrow side="next" label={words.next} act={() => step(around.next)} />}
    </div>
  )
}

interface ShownProps {
  subject: Subject
  isPlaying: boolean
  controls: { current: PhotoControls | null }
  onTap(): void
  onSwipe(way: Swipe): void
  onEnded(): void
  onShown(): void
}

function Shown({ subject, isPlaying, onEnded, ...photo }: ShownProps) {
  useEffect(() => {
    if (subject.isFilm) photo.onShown()
  }, [subject.id, subject.isFilm])
  if (!subject.isFilm) {
    return <Photo subject={subject} {...photo} />
  }
  return (
    <Film
      key={subject.id}
      subject={subject}
      controls={photo.controls}
      isPlayed={isPlaying}
      onEnded={onEnded}
    />
  )
}
