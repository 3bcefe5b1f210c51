import { audit } from '../audit/record.ts'
import type { WriteAs } from '../auth/write-as.ts'
import type { User } from '../base/user.ts'
import type { Tx } from '../db/write.ts'
import type { JsonText } from '../http/json.ts'
import type { Upload } from '../http/multipart.ts'
import { isFilm, takeApart } from './companions/companion.ts'
import { removeContents } from './content/removals.ts'
import { contentDetails } from './edit.ts'
import { presentFile } from './present.ts'
import { loadFile, replaceContent } from './queries.ts'
import type { File } from './schema.ts'
import { type ContentDeps, commitContent, keepContent } from './upload.ts'
import { requireQuota } from './usage/quota.ts'

/**
 * Replaces the content of a file and returns the file as the user sees it. Its id stays, and the old content is removed
 * once the new one is committed. Throws unsupported_mime and insufficient_storage as `uploadFile` does, and not_found
 * or forbidden when the file or the right to edit it has gone in the meantime.
 */
export async function replaceFile(
  deps: ContentDeps,
  request: { id: string; upload: Upload; user: User; writeAs: WriteAs },
): Promise<JsonText<File>> {
  const { id, upload, writeAs } = request
  const { temporary, size, sha256 } = upload.file
  const content = await keepContent(deps, { temporary, size, sha256 }, request.user.id)
  const replace = (tx: Tx, user: User) => {
    const file = loadFile(tx, user, id, 'edit')
    const { creator_id, size: replaced } = file
    requireQuota(tx, deps.config, { size, creator_id, replaced })
    const original_name = upload.file.filename ?? file.original_name
    replaceContent(tx, file.rid, { content, original_name: upload.file.filename })
    const details = {
      from: { ...contentDetails(file), original_name: file.original_name },
      to: { ...contentDetails(content), original_name },
    }
    if (isFilm(file) !== isFilm(content)) takeApart(tx, user, file.rid)
    audit(tx, user, 'file_replace', { type: 'file', id }, details)
    return { text: presentFile(tx, user, file.rid), old: file.blob }
  }
  const { text, old } = await commitContent(deps, content, () => writeAs(replace))
  await removeContents(deps, [old])
  return text
}
