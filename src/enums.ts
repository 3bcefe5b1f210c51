// What fields of few values may hold: said here for the tables, the requests and the types of both.

/** The kinds of objects that have rights of their own. */
export const OBJECT_TYPES = ['file', 'tag', 'category', 'pool'] as const
export type ObjectType = (typeof OBJECT_TYPES)[number]

/** What a pool is sorted by. */
export const POOL_SORT_KEYS = ['manual', 'content_datetime', 'created', 'original_name'] as const
export type PoolSortKey = (typeof POOL_SORT_KEYS)[number]

export const SORT_ORDERS = ['asc', 'desc'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/**
 * Whether the derivatives of a content could be made: `failed` is the content's fault, `pending` the
 * system's, which had no process, file, time or memory to give, so that it is worth another try.
 */
export const DERIVATIVE_STATES = ['pending', 'made', 'failed'] as const
export type DerivativeState = (typeof DERIVATIVE_STATES)[number]
