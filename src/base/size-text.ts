const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Returns a number of bytes as people read it, such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`
}
