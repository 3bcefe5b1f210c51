/** Sizes and points are CSS pixels of the stage; only a picture's size is in pixels of its own. */
export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** How a picture lies on the stage: its upper left corner, and the stage pixels for one of its own. */
export interface View extends Point {
  scale: number
}

/** The most stage pixels for one of the picture's own, however small it is. */
const LARGEST = 8
/** The longer side of a preview, in pixels. */
export const PREVIEW = 1920

/** Returns the view that shows the whole picture as large as the stage allows, centred. */
export function fit(picture: Size, stage: Size): View {
  const scale = Math.min(stage.width / picture.width, stage.height / picture.height)
  return {
    scale,
    x: (stage.width - picture.width * scale) / 2,
    y: (stage.height - picture.height * scale) / 2,
  }
}

/**
 * Returns the view nearest to the given one that is neither smaller than the fitting one nor enlarged
 * too much, and leaves no side of the stage empty that the picture could fill.
 */
export function bounded(view: View, picture: Size, stage: Size): View {
  const least = fit(picture, stage)
  const most = Math.max(LARGEST, least.scale)
  const scale = Math.min(most, Math.max(least.scale, view.scale))
  return {
    scale,
    x: within(view.x, picture.width * scale, stage.width),
    y: within(view.y, picture.height * scale, stage.height),
  }
}

function within(at: number, length: number, room: number): number {
  if (length <= room) return (room - length) / 2
  return Math.min(0, Math.max(room - length, at))
}

/** Returns the view after scaling by a factor; what is under the point stays there. */
export function zoomAt(view: View, factor: number, point: Point): View {
  return {
    scale: view.scale * factor,
    x: point.x - (point.x - view.x) * factor,
    y: point.y - (point.y - view.y) * factor,
  }
}

export function moved(view: View, by: Point): View {
  return { ...view, x: view.x + by.x, y: view.y + by.y }
}

/** Returns the view after two fingers have moved from one pair of points to another. */
export function pinched(view: View, from: [Point, Point], to: [Point, Point]): View {
  const before = distance(...from)
  const factor = before === 0 ? 1 : distance(...to) / before
  const [start, end] = [middle(...from), middle(...to)]
  return moved(zoomAt(view, factor, start), { x: end.x - start.x, y: end.y - start.y })
}

/**
 * Returns the view after a double tap at a point: from the whole picture, one of its pixels on each of
 * the screen's (`ratio` to a stage pixel), or twice the size if that would be no larger; from anything
 * larger, back to the whole picture.
 */
export function toggled(view: View, picture: Size, stage: Size, point: Point, ratio: number): View {
  const whole = fit(picture, stage)
  if (!isWhole(view, picture, stage)) return whole
  const exact = 1 / ratio
  const scale = exact > whole.scale * 1.05 ? exact : whole.scale * 2
  return bounded(zoomAt(view, scale / view.scale, point), picture, stage)
}

/** Returns whether the whole picture is visible. */
export function isWhole(view: View, picture: Size, stage: Size): boolean {
  return view.scale <= fit(picture, stage).scale * 1.01
}

/** Returns the width of the picture in screen pixels in a view. */
export function pixelsAcross(view: View, picture: Size, ratio: number): number {
  return picture.width * view.scale * ratio
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}
