import type { DocumentInfo } from '../http/openapi/document.ts'
import { MIME_TYPES } from '../media/sniff.ts'
import { VERSION } from '../version.ts'

/** The MIME types that are accepted, of one kind. */
function types(kind: string): string {
  const names = [...MIME_TYPES.keys()].filter((type) => type.startsWith(kind))
  return names.map((name) => `\`${name}\``).join(', ')
}

const DESCRIPTION = `A home for a family's pictures and videos, kept by tags instead of folders.

## Tokens

\`POST /api/v1/auth/login\` gives an access token, sent as \`Authorization: Bearer …\`, and a refresh token,
which \`POST /api/v1/auth/refresh\` exchanges for new ones. A refresh token is good once; a client that lost
the answer may send it again within a minute, and any later the session ends. The content of a file can also
be asked for with \`?access_token=…\`, by GET alone, with an access token or with a content token, which is
good for that one file, outlives the session, and is made by
\`POST /api/v1/files/{file_id}/content-token\`. After too many failed attempts to sign in or to refresh, the
answer is 429 for a while, for right ones too.

## Rights

Everything belongs to a user. Its owner and admins view and change it, and say who else does, in its list
under \`/api/v1/acl\`; what is public is viewed by everybody who is signed in. What a caller may not view is
left out of lists, and answered with 403 when it is asked for; 404 is for what is not there.

## Bodies

JSON bodies are objects of at most 1 MiB and 32 levels, sent as \`Content-Type: application/json\`; fields that
are unknown or read-only are ignored. In a PATCH an absent field stays as it is, and \`null\` clears one that
may be null. Texts are stored in Unicode's composed form (NFC). Points in time are RFC 3339 with a zone, and
answered in UTC with milliseconds. \`phash\` is a 64-bit integer, which JavaScript's \`JSON.parse\` rounds.
Long operations answer with one JSON object a line (\`application/x-ndjson\`), each sent when it happens.

## Types of files

The content decides, whatever its name and its declared type: ${types('image/')} and ${types('video/')}.
Anything else is refused with 415, and more than the server's MAX_UPLOAD_SIZE with 413.

## Filters

A filter is a list of tokens in braces, \`{token,token,…}\`: the conditions \`t=<tag_id>\` (has the tag; all
zeros: is untagged), \`m=<type>\` (is of the MIME type), \`m~<pattern>\` (is of a MIME type LIKE the pattern,
with \`%\` and \`_\`), \`r=1\` (needs review), \`r=0\` (is reviewed), and the operators \`!\`, \`&\`, \`|\`, \`(\` and
\`)\`. NOT binds tighter than AND, AND tighter than OR. At most 500 tokens and 64 levels of parentheses.
\`{t=<a>,&,!,t=<b>}\` is every file with the first tag and without the second; \`{}\` is every file. In a URL
it has to be percent-encoded, as any value of a query.

## Pages

Lists of files are cut by cursors: pass \`next_cursor\` to go on, or \`prev_cursor\` with
\`direction=backward\` to go back. A cursor stands between two items and carries its sort and order, so that
items that come or go meanwhile shift nothing. All other lists take \`offset\` and \`limit\` and tell their
\`total\`.

## Errors

Every error has one shape: a \`code\` for programs, a \`message\` for people, and \`details\` for each field that
is wrong. A path that is not in this document is 404, and a method that is not, 405 with \`Allow\`. HEAD is
answered wherever GET is, without the body. Every answer names its request in \`X-Request-Id\`, as the log of
the server does.`

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
