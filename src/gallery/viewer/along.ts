import { act } from '../base/api.ts'
import { complain } from '../parts/toast.tsx'

/** Changes the film of a picture along with it, and adds that to what is `done`, unless the server refuses. */
export async function along(
  done: number[],
  call: Parameters<typeof act<unknown>>[0],
): Promise<void> {
  const { operation } = (await act(call).catch(complain)) ?? {}
  if (operation) done.push(operation)
}
