/**
 * Returns the name of a camera by the EXIF of what it took: make and model, without the make where the model begins with
 * it. Empty when the EXIF tells neither.
 */
export function cameraName({ Make, Model }: Record<string, unknown>): string {
  const make = clean(Make)
  const model = clean(Model)
  const brand = make.split(' ')[0]!
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`.trim()
}

function clean(value: unknown): string {
  return typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : ''
}
