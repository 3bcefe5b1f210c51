import { answered, api, ask } from '../base/api.ts'
import { number } from '../base/format.ts'
import { useResource } from '../base/resource.ts'
import { returns } from '../base/returning.ts'
import { undone } from '../base/undo/undo.ts'
import { files } from '../grid/index.ts'

/** How long nothing else may change before it is asked for, in milliseconds. */
const CALM = 1000

/** How many files are to be reviewed, beside the link to the inbox. */
export function ToReview() {
  const count = useResource(async (signal) => {
    void [answered.value, undone.value, returns.value, files.total.value]
    await new Promise((resolve) => setTimeout(resolve, CALM))
    const query = { filter: '{r=1}', limit: 1 }
    return (await ask(api.GET('/api/v1/files/ids', { params: { query }, signal }))).total
  })
  return count.data.value ? <span class="n hot">{number(count.data.value)}</span> : null
}
