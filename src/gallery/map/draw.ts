import type { Size, View } from '../viewer/zoom.ts'
import type { Atlas } from './atlas.ts'

/** Draws coasts and borders on a canvas as large as the stage, in the colours of its style. */
export function draw(canvas: HTMLCanvasElement, atlas: Atlas, view: View, stage: Size): void {
  const ratio = devicePixelRatio
  const [width, height] = [Math.round(stage.width * ratio), Math.round(stage.height * ratio)]
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return
  const style = getComputedStyle(canvas)
  const { x, y, scale } = view
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, width, height)
  context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio)
  const isInSight = (shape: Atlas['land'][number]) =>
    shape.east * scale + x > 0 &&
    shape.west * scale + x < stage.width &&
    shape.south * scale + y > 0 &&
    shape.north * scale + y < stage.height
  context.lineWidth = 1 / scale
  context.lineJoin = 'round'
  context.fillStyle = style.color
  context.strokeStyle = style.borderColor
  for (const { path } of atlas.land.filter(isInSight)) {
    context.fill(path)
    context.stroke(path)
  }
  for (const { path } of atlas.borders.filter(isInSight)) context.stroke(path)
}
