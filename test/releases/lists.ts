/** What a library must give the same after it was migrated, by paths of the API. */
export const LISTS = [
  '/files?limit=200&trash=true',
  '/files?limit=200',
  '/tags?limit=200',
  '/categories',
  '/pools',
  '/users',
  '/audit?limit=200&action=file_create',
]
