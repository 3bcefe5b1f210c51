import { fit, type Size, type View } from '../viewer/zoom.ts'

/**
 * What is looked at of two pictures at once: how many times larger they are than what fits, and
 * which point is in the middle of the stage, in parts of their width and height.
 */
export interface Look {
  zoom: number
  x: number
  y: number
}

export const WHOLE: Look = { zoom: 1, x: 0.5, y: 0.5 }

/** Returns where a picture lies when it is looked at so. */
export function viewOf(look: Look, picture: Size, stage: Size): View {
  const scale = fit(picture, stage).scale * look.zoom
  return {
    scale,
    x: stage.width / 2 - look.x * picture.width * scale,
    y: stage.height / 2 - look.y * picture.height * scale,
  }
}

/** Returns what is looked at of a picture that lies so, for the other one to follow. */
export function lookOf(view: View, picture: Size, stage: Size): Look {
  return {
    zoom: view.scale / fit(picture, stage).scale,
    x: (stage.width / 2 - view.x) / (picture.width * view.scale),
    y: (stage.height / 2 - view.y) / (picture.height * view.scale),
  }
}

/** Which part of a picture is seen, in parts of its width and height from its left and top. */
interface Part {
  left: number
  top: number
  width: number
  height: number
}

/** Returns which part of a picture is seen that lies so. */
export function seenPart(view: View, picture: Size, stage: Size): Part {
  const along = (at: number, length: number, room: number) => {
    const start = Math.max(0, -at / length)
    return { start, length: Math.min(1, (room - at) / length) - start }
  }
  const across = along(view.x, picture.width * view.scale, stage.width)
  const down = along(view.y, picture.height * view.scale, stage.height)
  return { left: across.start, top: down.start, width: across.length, height: down.length }
}
