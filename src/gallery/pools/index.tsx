import { listing } from '../routes.ts'
import { PoolList } from './list.tsx'
import { PoolPage } from './page.tsx'
import type { PoolsProps } from './props.ts'

/** Shows all pools, or the one of the address. */
export function Pools(props: PoolsProps) {
  const { pool } = listing.value
  return pool ? <PoolPage key={pool} id={pool} {...props} /> : <PoolList />
}
