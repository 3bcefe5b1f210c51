import { z } from 'zod'

export const Place = z
  .object({
    country: z.string().meta({ description: 'Its code by ISO 3166', examples: ['FR'] }),
    region: z.string().meta({
      description: 'The code that GeoNames has for its region; empty when there is none',
      examples: ['93'],
    }),
    region_name: z
      .string()
      .nullable()
      .meta({
        description: 'What GeoNames calls its region',
        examples: ["Provence-Alpes-Côte d'Azur"],
      }),
    town: z.string().meta({ description: 'Its name where it is', examples: ['Nice'] }),
  })
  .meta({ id: 'Place', description: 'A town, which `l=FR.93.Nice` in a filter names' })
export type Place = z.infer<typeof Place>
