import { QueryText } from '../../http/text-fields.ts'

/** An expression of the filter language, not yet parsed. */
export const FilterText = QueryText.meta({
  description: 'Which files to list, in the filter language; see the introduction of this document',
  examples: ['{t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f,&,!,m~video/%}', '{r=1}'],
})

const FILTERS = {
  'All files': '',
  'What needs review': '{r=1}',
  'Pictures, but no GIFs': '{m~image/%,&,!,m=image/gif}',
  'Without a tag': '{t=00000000-0000-0000-0000-000000000000}',
  'With one tag or another':
    '{t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f,|,t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e10}',
}

/** A filter in a query. */
export const FilterParameter = FilterText.meta({ named_examples: FILTERS })
