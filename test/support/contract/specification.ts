// The endpoints of the specification: the path, the request body, the status of a success with its
// answer, and the errors that the specification names. A FileTag is its Tag with one field more.
const ENDPOINTS = `
GET    /health                                -                    200 Health
POST   /auth/login                            Login                200 TokenPair              401
POST   /auth/refresh                          Refresh              200 TokenPair              401
POST   /auth/logout                           -                    204 -                      401
GET    /auth/sessions                         -                    200 SessionList            401
DELETE /auth/sessions/{session_id}            -                    204 -                      401 404
GET    /files                                 -                    200 FileCursorPage         401
POST   /files                                 multipart/form-data  201 File                   400 401 415
GET    /files/{file_id}                       -                    200 File                   401 404
PATCH  /files/{file_id}                       FileUpdate           200 File                   401 404
DELETE /files/{file_id}                       -                    204 -                      401 404
PUT    /files/{file_id}/content               multipart/form-data  200 File                   401 415
GET    /files/{file_id}/content               -                    200 application/octet-stream 401 404
POST   /files/{file_id}/content-token         -                    200 ContentToken           401 403 404
GET    /files/{file_id}/thumbnail             -                    200 image/jpeg             401 404
GET    /files/{file_id}/preview               -                    200 image/jpeg             401 404
POST   /files/{file_id}/views                 -                    204 -                      401 404
POST   /files/{file_id}/restore               -                    200 File                   401 404
DELETE /files/{file_id}/permanent             -                    204 -                      401 404 409
GET    /files/{file_id}/tags                  -                    200 FileTag[]              401
PUT    /files/{file_id}/tags                  FileTags             200 FileTag[]              401
PUT    /files/{file_id}/tags/{tag_id}         -                    200 FileTag[]              401
DELETE /files/{file_id}/tags/{tag_id}         -                    204 -                      401
POST   /files/bulk/tags                       BulkTags             200 AppliedTags            401
POST   /files/bulk/delete                     BulkFiles            204 -                      401
POST   /files/bulk/review                     BulkReview           204 -                      401
POST   /files/bulk/common-tags                BulkFiles            200 CommonTags             401
GET    /files/duplicates                      -                    200 DuplicateClusterPage   401
POST   /files/duplicates/dismiss              DuplicateDismiss     204 -                      401
POST   /files/duplicates/resolve              DuplicateResolve     200 File                   401
POST   /files/import                          ImportRequest        200 ImportEvent            400 401 403 409
GET    /tags                                  -                    200 TagOffsetPage          401
POST   /tags                                  TagCreate            201 Tag                    400 401 409
GET    /tags/{tag_id}                         -                    200 Tag                    401 404
PATCH  /tags/{tag_id}                         TagUpdate            200 Tag                    401
DELETE /tags/{tag_id}                         -                    204 -                      401
GET    /tags/{tag_id}/files                   -                    200 FileCursorPage         401
GET    /tags/{tag_id}/rules                   -                    200 TagRule[]              401
POST   /tags/{tag_id}/rules                   TagRuleCreate        201 TagRule                401
PATCH  /tags/{tag_id}/rules/{then_tag_id}     TagRuleUpdate        200 TagRule                401 404
DELETE /tags/{tag_id}/rules/{then_tag_id}     -                    204 -                      401
GET    /categories                            -                    200 CategoryOffsetPage     401
POST   /categories                            CategoryCreate       201 Category               401 409
GET    /categories/{category_id}              -                    200 Category               401 404
PATCH  /categories/{category_id}              CategoryUpdate       200 Category               401
DELETE /categories/{category_id}              -                    204 -                      401
GET    /categories/{category_id}/tags         -                    200 TagOffsetPage          401
GET    /pools                                 -                    200 PoolOffsetPage         401
POST   /pools                                 PoolCreate           201 Pool                   401
GET    /pools/{pool_id}                       -                    200 Pool                   401 404
PATCH  /pools/{pool_id}                       PoolUpdate           200 Pool                   401
DELETE /pools/{pool_id}                       -                    204 -                      401
POST   /pools/{pool_id}/views                 -                    204 -                      401 404
GET    /pools/{pool_id}/files                 -                    200 PoolFileCursorPage     401
POST   /pools/{pool_id}/files                 PoolFilesAdd         201 -                      401
POST   /pools/{pool_id}/files/remove          PoolFilesRemove      204 -                      401
PUT    /pools/{pool_id}/files/reorder         PoolReorder          204 -                      400 401
GET    /acl/{object_type}/{object_id}         -                    200 Permission[]           401
PUT    /acl/{object_type}/{object_id}         AclUpdate            200 Permission[]           401
GET    /users                                 -                    200 UserOffsetPage         401 403
POST   /users                                 UserCreate           201 User                   401 403
GET    /users/me                              -                    200 User                   401
PATCH  /users/me                              SelfUpdate           200 User                   401
GET    /users/{user_id}                       -                    200 User                   401 403
PATCH  /users/{user_id}                       UserUpdate           200 User                   401 403
DELETE /users/{user_id}                       -                    204 -                      401 403
GET    /audit                                 -                    200 AuditLogOffsetPage     401 403
`

// The parameters of queries: the path that takes one, its name, its type with its limits, and its
// default.
const PARAMETERS = `
/files                   cursor       string
/files                   direction    forward|backward                              forward
/files                   anchor       uuid
/files                   limit        1..200                                        50
/files                   sort         content_datetime|created|original_name|mime
/files                   order        asc|desc
/files                   filter       string
/files                   search       string
/files                   trash        boolean                                       false
/files/{file_id}/content inline       1
/files/{file_id}/content access_token string
/auth/sessions           offset       0..                                           0
/auth/sessions           limit        1..200                                        50
/files/duplicates        limit        1..50                                         20
/files/duplicates        offset       0..                                           0
/tags                    offset       0..                                           0
/tags                    limit        1..200                                        50
/tags                    sort         name|color|category_name|created              created
/tags                    order        asc|desc                                      desc
/tags                    search       string
/tags/{tag_id}/files     cursor       string
/tags/{tag_id}/files     limit        1..200                                        50
/categories              offset       0..                                           0
/categories              limit        1..200                                        50
/categories              sort         name|created                                  created
/categories              order        asc|desc                                      desc
/categories              search       string
/categories/{category_id}/tags offset 0..                                           0
/categories/{category_id}/tags limit  1..200                                        50
/pools                   offset       0..                                           0
/pools                   limit        1..200                                        50
/pools                   sort         name|created                                  created
/pools                   order        asc|desc                                      desc
/pools                   search       string
/pools/{pool_id}/files   cursor       string
/pools/{pool_id}/files   limit        1..200                                        50
/pools/{pool_id}/files   filter       string
/users                   offset       0..                                           0
/users                   limit        1..200                                        50
/audit                   offset       0..                                           0
/audit                   limit        1..200                                        50
/audit                   user_id      0..
/audit                   action       string
/audit                   object_type  file|tag|category|pool
/audit                   object_id    uuid
/audit                   from         date-time
/audit                   to           date-time
`

const lines = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))

export const SPECIFIED = lines(ENDPOINTS).map(
  ([method, path, body, status, answer, ...errors]) => ({
    method: method!,
    path: path === '/health' ? path : `/api/v1${path}`,
    body: body!,
    status: status!,
    answer: answer!,
    errors,
  }),
)

export const SPECIFIED_PARAMETERS = lines(PARAMETERS).map(([path, name, type, fallback]) => ({
  path: `/api/v1${path}`,
  name: name!,
  type: type!,
  fallback,
}))

/** These need no token; the content of a file takes one in its query, too. */
export const PUBLIC = ['GET /health', 'POST /api/v1/auth/login', 'POST /api/v1/auth/refresh']
/** Beyond the specification. */
export const ALSO_PUBLIC = [
  'GET /api/v1/openapi.json',
  'HEAD /api/v1/openapi.json',
  'POST /web/session',
  'GET /s/{token}/list',
  'POST /s/{token}/password',
  'GET /s/{token}/archive',
  'POST /s/{token}/files',
  ...['GET', 'HEAD'].flatMap((method) =>
    ['thumbnail', 'preview', 'film', 'content'].map(
      (part) => `${method} /s/{token}/f/{file}/${part}`,
    ),
  ),
]
export const CONTENT = 'GET /api/v1/files/{file_id}/content'
