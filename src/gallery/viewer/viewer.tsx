import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import type { ComponentChildren, RefObject, TargetedMouseEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Schemas } from '../../client/index.ts'
import { act, api, ask } from '../base/api.ts'
import { isLost } from '../base/connection.ts'
import { changedHearts } from '../base/hearts.ts'
import { type Keys, useKeys } from '../base/keys.ts'
import type { Cell } from '../base/listing.ts'
import { filmOf, withFilms } from '../base/pairs.ts'
import { type Resource, useResource } from '../base/resource.ts'
import { looks } from '../base/returning.ts'
import { remember, undone } from '../base/undo/undo.ts'
import { heart, leaveFavourites } from '../favourites/index.ts'
import type { Files } from '../grid/index.ts'
import { Modal } from '../parts/dialog.tsx'
import { complain, toast } from '../parts/toast.tsx'
import { Arrow, Tool } from '../parts/tool.tsx'
import { listing } from '../routes.ts'
import { viewer } from '../text/viewer.ts'
import { along } from './along.ts'
import { type Acts, Bar } from './bar.tsx'
import type { Swipe } from './gestures.ts'
import { preload } from './layer.tsx'
import { isPanelOpen, Panel, PanelTool, panelState } from './panel.tsx'
import { Film, Lost, Photo, type PhotoControls, Waiting } from './photo.tsx'
import { Series, seriesOf } from './series.tsx'
import { Alike, type Neighbours, Strip, useNeighbours } from './strip.tsx'
import { type Subject, subjectOf } from './subject.ts'
import { turn } from './turn.ts'

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
  /** Starts a slideshow with the file. */
  play?(): void
  foot?: ComponentChildren
  /** Keys of the screen, such as Space of the inbox. */
  keys?: Keys
}

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
  const cell = useCell(files, id)
  const subject = subjectOf(id, cell, file)
  const series = seriesOf(files, id)
  const mayChange = Boolean(subject?.mayEdit && !isInTrash)
  const link = useRef<HTMLAnchorElement>(null)
  const film = filmOf(id)
  const controls = useRef<PhotoControls | null>(null)
  const isNoting = useSignal(false)
  const isAlikeShown = useSignal(false)
  const step = (to: Cell | null) => {
    isNoting.value = false
    if (to) onGo(to.id)
  }
  const acts: Acts = {
    compare: () => {
      isAlikeShown.value = !isAlikeShown.value
    },
    moveToTrash: async () => {
      if (mayChange) await moveToTrash(props, around.next ?? around.previous, step)
    },
    note: () => {
      panelState.value = 'open'
      if (subject?.mayEdit) isNoting.value = true
    },
    heart: () => {
      if (subject && !isInTrash) void heart(files, id, !subject.isFavourite)
    },
    turn: (by) => {
      if (mayChange) void turn(files, loaded, id, by)
    },
    shared: () => {
      void loaded.reload()
      files.renew([id]).catch(complain)
    },
  }
  const takeApart = async () => {
    const living = await import('./living.tsx')
    if (film !== undefined) await living.takeApart(files, id, film)
  }
  const mayPart = mayChange && film !== undefined
  useLeaving(files, id)
  useViewerKeys({ acts, around, step, controls, link, play: props.play }, props.keys)
  const look = { subject, controls }
  return (
    <>
      {/* Focused itself: not the way back, which Enter would trigger. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys leave the focus where it is */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div class="stage" tabIndex={-1} autofocus onClick={leaveSteps}>
        <Bar
          {...props}
          {...look}
          acts={acts}
          download={link}
          isAlikeShown={isAlikeShown.value}
          mayTurn={mayChange}
        >
          {mayChange && (
            <Tool label={viewer().trash} icon={Trash2} act={() => void acts.moveToTrash()} />
          )}
          {!foot && <PanelTool />}
        </Bar>
        <Show {...props} {...look} loaded={loaded} around={around} step={step} />
        {isAlikeShown.value ? (
          <Alike key={id} id={id} />
        ) : series.length > 1 ? (
          <Series key={series[0]!.series} files={files} cells={series} id={id} onGo={onGo} />
        ) : (
          <Strip files={files} id={id} onGo={onGo} />
        )}
      </div>
      <Panel
        {...props}
        file={file}
        cell={cell}
        subject={subject}
        isNoting={isNoting}
        save={save}
        takeApart={mayPart ? () => void takeApart().catch(complain) : undefined}
      />
    </>
  )
}

/** Returns what the grid has of a file, or had last: a listing that is read again lacks it for a while. */
function useCell(files: Files, id: string): Cell | null {
  const known = useRef<Cell | null>(null)
  const position = files.positionOf(id)
  const cell = position === null ? null : files.peek(position)
  if (cell || known.current?.id !== id) known.current = cell
  return known.current
}

/** After a click on a button that shows another file, or plays its film, Space is for that file. */
function leaveSteps({ detail, target, currentTarget }: TargetedMouseEvent<HTMLElement>): void {
  const isStep = (target as Element).closest('.arrow, .strip, .live')
  if (detail > 0 && isStep) currentTarget.focus()
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
      const done = operation === null ? [] : [operation]
      const { content_datetime, date_precision } = update
      const film = content_datetime && filmOf(id)
      if (film) {
        const params = { path: { file_id: film } }
        const body = { content_datetime, date_precision }
        await along(done, api.PATCH('/api/v1/files/{file_id}', { params, body }))
      }
      remember(done)
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

/** Removes a file that is a favourite no longer from the favourites once it is not shown any more. */
function useLeaving(files: Files, id: string): void {
  useEffect(() => {
    const own = listing.peek()
    return () => {
      if (listing.peek() === own && changedHearts.peek().get(id) === false)
        leaveFavourites(files, id)
    }
  }, [id])
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
    const file_ids = withFilms([id])
    const { operation } =
      file_ids.length > 1
        ? await act(api.POST('/api/v1/files/bulk/delete', { body: { file_ids } }))
        : await act(api.DELETE('/api/v1/files/{file_id}', { params }))
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
  link: RefObject<HTMLAnchorElement | null>
  play: (() => void) | undefined
}

function useViewerKeys(
  { acts, around, step, controls, link, play }: ViewerKeys,
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
      Space: () => controls.current?.play?.(),
      v: () => controls.current?.live?.(),
      ...(play && { 'Shift+Space': play }),
      i: () => {
        panelState.value = panelState.value === 'open' ? 'closed' : 'open'
      },
      n: acts.note,
      d: () => link.current?.click(),
      m: acts.compare,
      f: acts.heart,
      '[': () => acts.turn(270),
      ']': () => acts.turn(90),
      Delete: () => void acts.moveToTrash(),
      ...keys,
    },
    { isModal: true },
  )
}

interface ShowProps extends Steps {
  id: string
  subject: Subject | null
  loaded: Resource<Schemas['File']>
  onTap(): void
  onClose(): void
}

function Show(props: ShowProps) {
  const { id, subject, loaded, around, step, controls, onTap, onClose } = props
  const words = viewer()
  // The file of which more than the placeholder is visible.
  const shownId = useSignal<string | null>(null)
  const isShown = shownId.value === id
  useEffect(() => {
    if (!isShown) return
    preload(around.next)
    preload(around.previous)
  }, [isShown, around.next?.id, around.previous?.id])
  return (
    <div class="show">
      {subject && (
        <Shown
          subject={subject}
          controls={controls}
          onTap={onTap}
          onSwipe={(way) => {
            if (way === 'down') onClose()
            else step(way === 'left' ? around.next : around.previous)
          }}
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
  controls: { current: PhotoControls | null }
  onTap(): void
  onSwipe(way: Swipe): void
  onShown(): void
}

function Shown({ subject, ...photo }: ShownProps) {
  useEffect(() => {
    if (subject.isFilm) photo.onShown()
  }, [subject.id, subject.isFilm])
  if (!subject.isFilm) {
    return <Photo subject={subject} {...photo} />
  }
  return <Film key={subject.id} subject={subject} controls={photo.controls} />
}
