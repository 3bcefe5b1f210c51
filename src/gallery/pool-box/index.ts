export { AddToPool, PoolBox } from './box.tsx'
export {
  arePoolsLoaded,
  createPool,
  type Pool,
  pools,
  poolsError,
  reloadPools,
} from './pools.ts'
