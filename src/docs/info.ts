import type { DocumentInfo } from '../http/openapi.ts'
import { VERSION } from '../version.ts'

const DESCRIPTION = `A home for a family's pictures and videos, kept by tags instead of folders.

## Tokens

\`POST /api/v1/auth/login\` gives an access token, sent as \`Authorization: Bearer …\`, and a refresh token,
which \`POST /api/v1/auth/refresh\` exchanges for new ones. A refresh token is good once; a client that lost
the answer may send it again within a minute. The content of a file can also be asked for with
\`?access_token=…\`, by an access token or by a content token, which is good for that one file, outlives the
session, and is made by \`POST /api/v1/files/{file_id}/content-token\`.

## Filters

A filter is a list of tokens in braces, \`{token,token,…}\`: the conditions \`t=<tag_id>\` (has the tag; all
zeros: is untagged), \`m=<type>\` (is of the MIME type), \`m~<pattern>\` (is of a MIME type LIKE the pattern,
with \`%\` and \`_\`), \`r=1\` (needs review), \`r=0\` (is reviewed), and the operators \`!\`, \`&\`, \`|\`, \`(\` and
\`)\`. NOT binds tighter than AND, AND tighter than OR. At most 500 tokens and 64 levels of parentheses.
\`{t=<a>,&,!,t=<b>}\` is every file with the first tag and without the second.

## Pages

Lists of files are cut by cursors: pass \`next_cursor\` to go on, or \`prev_cursor\` with
\`direction=backward\` to go back. A cursor stands between two items and carries its sort and order. All other
lists take \`offset\` and \`limit\` and tell their \`total\`.

## Errors

Every error has one shape: a \`code\` for programs, a \`message\` for people, and \`details\` for each field that
is wrong.`

/** What the document says of the API as a whole. */
export const INFO: DocumentInfo = {
  title: 'Tagstead',
  version: VERSION,
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
  tags: [
    { name: 'System', description: 'Whether the server is there' },
    { name: 'Auth', description: 'Signing in, and the sessions that come of it' },
    { name: 'Users', description: 'The people of the house' },
    { name: 'Files', description: 'Pictures and videos, from the upload to the trash' },
    { name: 'File tags', description: 'The tags of one file' },
    { name: 'Bulk', description: 'Many files at once; those out of reach are skipped' },
    { name: 'Duplicates', description: 'Files that look alike' },
    { name: 'Import', description: 'Files from a folder of the server' },
    { name: 'Tags', description: 'What files are kept by' },
    { name: 'Tag rules', description: 'Where one tag goes, others follow' },
    { name: 'Categories', description: 'Tags of a kind' },
    { name: 'Pools', description: 'Collections of files, arranged by hand or sorted' },
    { name: 'Access', description: 'Who may view and edit what' },
    { name: 'Audit', description: 'Who did what' },
  ],
}
