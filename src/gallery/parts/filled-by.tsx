import { api, ask } from '../base/api.ts'
import { joined } from '../base/joined.ts'
import { useResource } from '../base/resource.ts'
import { smart } from '../text/smart.ts'

/** Says which albums fill themselves by what a token of the filter language names, before that is deleted. */
export function FilledBy({ token }: { token: string }) {
  const naming = useResource((signal) => {
    const query = { names: token, limit: 3, sort: 'name', order: 'asc' } as const
    return ask(api.GET('/api/v1/pools', { params: { query }, signal }))
  }).data.value
  if (!naming || naming.total === 0) return null
  const names = naming.items.map(({ name }) => smart().quoted(name))
  const all = naming.total > names.length ? [...names, '…'] : names
  return (
    <>
      <br />
      {smart().named(naming.total, joined(all))}
    </>
  )
}
