import { fit, type Size, type View } from '../viewer/zoom.ts'

/**
 * The common view of two pictures: the zoom relative to fitting, and the point in the middle of the
 * stage, in parts of the picture's width and height.
 */
export interface Look {
  zoom: number
  x: number
  y: number
}

export const WHOLE: Look = { zoom: 1, x: 0.5, y: 0.5 }

/** Returns where a picture lies on the stage in this view. */
export function viewOf(look: Look, picture: Size, stage: Size): View {
  const scale = fit(picture, stage).scale * look.zoom
  return {
    scale,
    x: stage.width / 2 - look.x * picture.width * scale,
    y: stage.height / 2 - look.y * picture.height * scale,
  }
}

/** Returns the common view of a picture that lies this way, for the other one to follow. */
export function lookOf(view: View, picture: Size, stage: Size): Look {
  return {
    zoom: view.scale / fit(picture, stage).scale,
    x: (stage.width / 2 - view.x) / (picture.width * view.scale),
    y: (stage.height / 2 - view.y) / (picture.height * view.scale),
  }
}

/** In parts of the picture's width and height, from its left and top. */
interface Part {
  left: number
  top: number
  width: number
  height: number
}

/** Returns the part of a picture that is visible. */
export function seenPart(view: View, picture: Size, stage: Size): Part {
  const along = (at: number, length: number, room: number) => {
    const start = Math.max(0, -at / length)
    return { start, length: Math.min(1, (room - at) / length) - start }
  }
  const across = along(view.x, picture.width * view.scale, stage.width)
  const down = along(view.y, picture.height * view.scale, stage.height)
  return { left: across.start, top: down.start, width: across.length, height: down.length }
}
