import { VERSION } from '../base/version.ts'
import type { DocumentInfo } from '../http/openapi/document.ts'
import { MIME_TYPES } from '../media/sniff.ts'

function types(kind: string): string {
  const names = [...MIME_TYPES.keys()].filter((type) => type.startsWith(kind))
  return names.map((name) => `\`${name}\``).join(', ')
}

const DESCRIPTION = `A home for a family's pictures and videos, organised by tags instead of folders.

## Tokens

\`POST /api/v1/auth/login\` returns an access token, sent as \`Authorization: Bearer …\`, and a refresh token,
which \`POST /api/v1/auth/refresh\` exchanges for new ones. A refresh token can be used once. A client that
lost the answer may send it again within a minute; sent any later, it ends the session. The content of a
file can also be requested with \`?access_token=…\`, by GET only, with an access token or a content token.
\`POST /api/v1/files/{file_id}/content-token\` makes a content token, which is valid for that one file and
outlives the session. An archive can be requested only with its own token, which
\`POST /api/v1/files/archive\` returns. After too many failed attempts to sign in or to refresh, every
attempt gets 429 for a while, even a right one. After many failures for one name, an answer for it takes up
to 15 seconds longer outside the networks from which its user has signed in before.

An app can send a key instead of an access token, as \`Authorization: Bearer tsk_…\`. \`POST /api/v1/auth/keys\` makes
one, with a scope: \`x-key-scope\` of an operation names the one that it needs. Without it, no key opens the operation.

## Rights

Every file, tag, category and pool has a creator. The creator and admins may view and edit it. In its list
under \`/api/v1/acl\`, they decide who else may. Everyone who is signed in may view what is public. While a pool
has \`shares_files\`, the people on its list may also view the files in it that their creator, or an admin,
shared or added. The lists of those files don't show this. What a caller may not view is left out of lists,
and a request for it gets 403; 404 means that it does not exist.

## Bodies

JSON bodies are objects of at most 1 MiB and 32 levels, sent as \`Content-Type: application/json\`. Fields
that are unknown or read-only are ignored. In a PATCH, an absent field stays as it is, and \`null\` clears a
field that may be null. Texts are stored in Unicode's composed form (NFC). They may have at most 30 combining
marks in a row, unless that is what is stored already. Times are sent as RFC 3339 date-times with a zone,
and answered in UTC with milliseconds. \`phash\` is a 64-bit integer, which JavaScript's \`JSON.parse\`
rounds. Long operations answer with events, one JSON object per line (\`application/x-ndjson\`), each sent as
it happens.

## Types of files

The content of a file decides its type, whatever its name and declared type. These are accepted:
${types('image/')} and ${types('video/')}. Anything else gets 415, and a file larger than the server's
MAX_UPLOAD_SIZE gets 413.

## Filters

A filter is a list of tokens in braces, \`{token,token,…}\`: conditions, and the operators \`!\`, \`&\`, \`|\`,
\`(\` and \`)\`. NOT binds tighter than AND, and AND tighter than OR. A filter may have at most 500 tokens and
64 levels of parentheses. \`{t=<a>,&,!,t=<b>}\` matches every file with the first tag and without the second;
\`{}\` matches every file. In a URL, a filter has to be percent-encoded like any value of a query.

| condition | a file |
| --- | --- |
| \`t=<tag_id>\` | has the tag; all zeros: has none |
| \`c=<category_id>\` | has a tag of the category; all zeros: has no tag of any category |
| \`p=<pool_id>\` | is in the pool; all zeros: is in none |
| \`m=<type>\`, \`m~<pattern>\` | has the MIME type, or one LIKE the pattern, with \`%\` and \`_\` |
| \`r=1\`, \`r=0\` | needs review, is reviewed |
| \`f=1\`, \`f=0\` | is a favourite of the caller, is none |
| \`d=2019\`, \`d=2019-05\`, \`d=2019-05-14\` | was taken in that year, in that month, on that day, by its own clock; \`<\`, \`<=\`, \`>\` and \`>=\` before or after |
| \`d~05\`, \`d~05-14\` | was taken in that month or on that day of any year |
| \`s=<date_source>\` | has its date from there |
| \`g=1\`, \`g=0\`, \`g~u2edk\` | says where it was taken; does not; was taken in that cell, a geohash of 1 to 8 characters |
| \`l=FR\`, \`l=FR.93\`, \`l=FR.93.Nice\` | was taken in that country (ISO 3166), region or town; write \`_\`, which stands for any character, for what is no letter, digit, \`.\` or \`-\` |
| \`k~Canon%\` | was taken by a camera whose make and model are LIKE the pattern, in capitals or not |
| \`u=<user_id>\` | was created by that user |
| \`b>5000000\`, \`w>12000000\`, \`e>60\` | has more bytes, more pixels, more seconds; \`<\`: fewer |
| \`n~<pattern>\` | has notes LIKE the pattern, in any case, as in \`n~%laughed%\`; \`_\` stands for a comma, too |
| \`x=raw\`, \`x=portrait\`, \`x=landscape\`, \`x=animated\`, \`x=damaged\` | is a RAW file, is higher than wide, is wider than high, is a picture of several frames, was found damaged by the decoder |

The patterns of \`k\` and \`n\` have at most 256 characters. Of a position, the town is the nearest one within 50 km, by
its local name; regions have GeoNames' codes. Both are of GeoNames' data (CC BY 4.0), and the server asks no other host.

A pool with a \`filter\` fills itself: wherever files of a pool are listed, it holds those that match and that the
caller may view, so each sees their own part, and it grants nothing. What its filter names and the caller can't see
matches nothing. Such a pool is sorted automatically, nothing can be added or removed by hand, and no filter may name
it. Its \`filter\` is shown to those who may edit it, as it stands: it may name what they can't see. Merging a tag into
another one lets filters name that one. What is deleted matches nothing; \`GET /api/v1/pools?names=\` finds the filters
that name it.

What the caller can't see matches nothing, as if it didn't exist. A date of which only a part is known matches
what it certainly lies in: one of the year 2019 matches \`d=2019\` and \`d>2018\`, but not \`d=2019-05\`.

## Pages

Lists of files are divided into pages by cursors: pass \`next_cursor\` as \`cursor\` to go on, or
\`prev_cursor\` with \`direction=backward\` to go back. A cursor marks a place between two items and carries
the sort and order of its list, so items that are added or removed in the meantime shift nothing. The tags
of a file, the rules of a tag and the access list of an object are not divided into pages; similar files
take only \`limit\`. All other lists take \`offset\` and \`limit\`, and return their \`total\`.

## Limits

One client may have 64 requests under way, not counting uploads that wait for their turn. Any more get 503
and \`Retry-After\`. The server sets that number (CLIENT_REQUESTS), and exempts its home network. A JSON
body has 15 seconds to arrive. The body of an upload has to bring 1 KiB/s over any minute, or the answer is
408. A large answer that the client reads more slowly is cut off. For each user, 8 uploads are read, decoded
and stored at once, and 100 more may wait, each for at most a minute. Any more get 429 and \`Retry-After\`.
Requests that need more space get 507 when the disk has less room than the server is to leave free
(DISK_RESERVE), or when a user's files reach their quota (USER_QUOTA). Deleting still works.

The \`metadata\` and \`notes\` of files may have at most 64 KiB each, those of tags, categories and pools 4 KiB,
and the bodies of signing in and refreshing 8 KiB. A file may have 1,000 tags, and a user 10,000 tags of
their own. At most 200 tags may follow from one. A page of files ends before 8 MiB even if it then has fewer
files than its \`limit\`. An error names at most 20 fields, and counts the rest.

## Errors

Every error has the same shape: a \`code\` for programs, a \`message\` for people, and \`details\` for each
field that is wrong. A path that does not exist gets 404, and a method that its path does not accept gets
405 and \`Allow\`. HEAD works wherever GET does, without the body. Every answer names its request in
\`X-Request-Id\`, and so does the server's log.`

/** What the document says about the API as a whole. */
export const INFO: DocumentInfo = {
  title: 'Tagstead',
  version: VERSION,
  description: DESCRIPTION,
  license: { name: 'MIT', identifier: 'MIT' },
  tags: [
    { name: 'System', description: 'Whether the server is running, and this document' },
    { name: 'Auth', description: 'Signing in, and the sessions that it starts' },
    { name: 'Users', description: 'The people who have an account' },
    { name: 'Files', description: 'Pictures and videos, from the upload to the trash' },
    { name: 'File tags', description: 'The tags of one file' },
    {
      name: 'Bulk',
      description: 'Many files at once; files that the caller has no right to are skipped',
    },
    { name: 'Duplicates', description: 'Files that look alike' },
    { name: 'Import', description: 'Importing files from a folder on the server' },
    { name: 'Tags', description: 'The labels that files are organised by' },
    { name: 'Tag rules', description: 'Which tags follow when a tag is applied' },
    { name: 'Categories', description: 'Groups of tags' },
    {
      name: 'Pools',
      description: 'Collections of files, arranged by hand or sorted automatically',
    },
    { name: 'Access', description: 'Who may view and edit what' },
    { name: 'Links', description: 'What people without an account see, by a link' },
    { name: 'Audit', description: 'Who did what' },
    {
      name: 'Web',
      description: 'The session and the pictures of the page that this server serves',
    },
    { name: 'Operations', description: 'What one request, import or rule did, and how to undo it' },
  ],
}
