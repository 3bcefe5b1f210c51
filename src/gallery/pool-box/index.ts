export { AddToPool, PoolBox } from './box.tsx'
export {
  arePoolsLoaded,
  createPool,
  mayPool,
  type Pool,
  pools,
  poolsError,
  reloadPools,
} from './pools.ts'
export { addedTo, seenLater } from './seen-now.ts'
