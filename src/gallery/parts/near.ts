import type { Schemas } from '../../client/index.ts'
import { locale } from '../base/text.ts'
import { near } from '../text/near.ts'

type Place = Schemas['Place']

/**
 * Returns in words where files were taken, by what their places have in common: `near Nice, France`, or a region or a
 * country.
 */
export function whereOf(places: readonly (Place | null)[]): string | null {
  const [first, ...others] = new Set(places.filter((place) => place !== null))
  if (!first) return null
  const isCommon = (field: keyof Place) => others.every((other) => other[field] === first[field])
  if (!isCommon('country')) return null
  const country = new Intl.DisplayNames(locale.value, { type: 'region' }).of(first.country)!
  if (!isCommon('region')) return country
  if (isCommon('town')) return near().near(`${first.town}, ${country}`)
  return first.region_name === null ? country : `${first.region_name}, ${country}`
}
