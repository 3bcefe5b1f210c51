// In characters; texts of EXIF that are longer name no camera.
const LONGEST_NAME = 200

/**
 * Returns the name of a camera by the EXIF of what it took: make and model, without the make where the model begins
 * with it. Empty when the EXIF tells neither, or more than a name.
 */
export function cameraName({ Make, Model }: Record<string, unknown>): string {
  const make = clean(Make)
  const model = clean(Model)
  const brand = make.split(' ')[0]!
  const isWhole = model.toLowerCase().startsWith(brand.toLowerCase())
  const name = isWhole ? model : `${make} ${model}`.trim()
  return name.length <= LONGEST_NAME ? name : ''
}

function clean(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : ''
}
