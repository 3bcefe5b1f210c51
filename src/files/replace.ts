import { recordAudit } from '../audit/record.ts'
import type { JsonText } from '../http/json.ts'
import type { Upload } from '../http/multipart.ts'
import type { User } from '../user.ts'
import { presentFile } from './present.ts'
import { loadFile, replaceContent } from './queries.ts'
import type { File } from './schema.ts'
import {
  type ContentDeps,
  commitContent,
  contentDetails,
  keepContent,
  removeContent,
} from './upload.ts'

/**
 * Replaces the content of a file and returns the file as the caller sees it. Its id stays, and the
 * old content is removed once the new one is committed. Throws unsupported_mime as `uploadFile`
 * does, and not_found or forbidden when the file or the right to edit it has gone in the meantime.
 */
export async function replaceFile(
  deps: ContentDeps,
  request: { id: string; upload: Upload; caller: () => User },
): Promise<JsonText<File>> {
  const { id, upload, caller } = request
  const { temporary, size, sha256 } = upload.file
  const content = await keepContent(deps, { path: temporary.path, size, sha256 })
  const { text, old } = await commitContent(deps, content, () => {
    const { db } = deps
    const user = caller()
    const file = loadFile(db, user, id, 'edit')
    const now = deps.clock()
    replaceContent(db, file.rid, { content, original_name: upload.file.filename, now })
    recordAudit(db, {
      user,
      action: 'file_replace',
      object_type: 'file',
      object_id: id,
      details: {
        from: { ...contentDetails(file), original_name: file.original_name },
        to: {
          ...contentDetails(content),
          original_name: upload.file.filename ?? file.original_name,
        },
      },
      now,
    })
    return { text: presentFile(db, user, file.rid), old: file.blob }
  })
  await removeContent(deps, old)
  return text
}
