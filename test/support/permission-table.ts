// Every endpoint, and how each caller is answered. The objects are those of the owner, who may
// create; the viewer and the editor have ACL entries for all of them; "public" is the stranger once
// all objects are public. After a status, `:n` means that the list has n items, `=` means a success
// that changes nothing, where a plain one must change something, and `!` means an error that is
// written down, where a plain one must leave everything as it is. The last column is the scope that a
// key needs: `any` is each of them, `never` is none, and `free` asks nobody for a key.
const MATRIX = `
ENDPOINT                                      nobody blocked stranger viewer editor public owner admin         key
GET    /                                      200    200     200      200    200    200    200   200           free
GET    /docs                                  200    200     200      200    200    200    200   200           free
GET    /docs/:hash/:name                      404    404     404      404    404    404    404   404           free
GET    /health                                200    200     200      200    200    200    200   200           free
GET    /worker.js                             200    200     200      200    200    200    200   200           free
POST   /share                                 303    303     303      303    303    303    303   303           free
GET    /web/assets/:name                      404    404     404      404    404    404    404   404           free
POST   /web/session                           200    403!    200      200    200    200    200   200           free
POST   /web/session/refresh                   204=   401     200=     200=   200=   200=   200=  200=          free
DELETE /web/session                           204=   204=    204      204    204    204    204   204           free
GET    /web/media/:media/:file_id/thumbnail   401    401     403      200    200    200    200   200           free
GET    /web/media/:media/:file_id/preview     401    401     403      200    200    200    200   200           free
GET    /web/media/:media/:file_id/full        401    401     403      200    200    200    200   200           free
GET    /web/media/:media/:file_id/content     401    401     403      200    200    200    200   200           free
GET    /s/:token                              200    200     200      200    200    200    200   200           free
GET    /s/:token/list                         200:2  200:2   200:2    200:2  200:2  200:2  200:2 200:2         free
POST   /s/:token/password                     204=   204=    204=     204=   204=   204=   204=  204=          free
GET    /s/:token/f/:shared_id/thumbnail       200    200     200      200    200    200    200   200           free
GET    /s/:token/f/:shared_id/preview         200    200     200      200    200    200    200   200           free
GET    /s/:token/f/:shared_id/film            404    404     404      404    404    404    404   404           free
GET    /s/:token/f/:shared_id/content         200    200     200      200    200    200    200   200           free
GET    /s/:token/archive                      200    200     200      200    200    200    200   200           free
POST   /s/:token/files                        204    204     204      204    204    204    204   204           free
GET    /openapi.json                          200    200     200      200    200    200    200   200           free
POST   /auth/login                            200    403!    200      200    200    200    200   200           free
POST   /auth/refresh                          200    401     200      200    200    200    200   200           free
POST   /auth/logout                           401    401     204      204    204    204    204   204           never
GET    /auth/sessions                         401    401     200:1    200:1  200:1  200:1  200:1 200:1         never
DELETE /auth/sessions/:session_id             401    401     404      404    404    404    204   204           never
POST   /auth/keys                             401    401     201      201    201    201    201   201           never
GET    /auth/keys                             401    401     200:0    200:0  200:0  200:0  200:1 200:0         never
DELETE /auth/keys/:key_id                     401    401     404      404    404    404    204   204           never
GET    /status                                401    401     403      403    403    403    403   200           admin
GET    /users                                 401    401     403      403    403    403    403   200:7         admin
POST   /users                                 401    401     403      403    403    403    403   201           never
GET    /users/me                              401    401     200      200    200    200    200   200           any
PATCH  /users/me                              401    401     200      200    200    200    200   200           never
GET    /users/me/settings                     401    401     200      200    200    200    200   200           read
PUT    /users/me/settings                     401    401     200      200    200    200    200   200           admin
GET    /people                                401    401     200:6    200:6  200:6  200:6  200:6 200:6         read
GET    /users/:user_id                        401    401     403      403    403    403    403   200           admin
PATCH  /users/:user_id                        401    401     403      403    403    403    403   200           admin
DELETE /users/:user_id                        401    401     403      403    403    403    403   204           admin
POST   /users/:user_id/password               401    401     403      403    403    403    403   200           never
GET    /audit?action=file_create              401    401     403      403    403    403    403   200:1         admin
POST   /operations/:operation/undo            401    401     403      403    403    403    200   200           admin
GET    /files/:file_id/history                401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /files                                 401    401     200:0    200:3  200:3  200:3  200:3 200:3         read
GET    /files?trash=true                      401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
GET    /files?anchor=:file_id                 401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /files/ids                             401    401     200:0    200:3  200:3  200:3  200:3 200:3         read
GET    /files/ids?pool=:pool_id               401    401     403      200:2  200:2  200:2  200:2 200:2         read
GET    /files/cells                           401    401     200:0    200:3  200:3  200:3  200:3 200:3         read
GET    /files/cells?anchor=:file_id           401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /files/cells?pool=:pool_id             401    401     403      200:2  200:2  200:2  200:2 200:2         read
GET    /files/timeline                        401    401     200      200    200    200    200   200           read
GET    /files/facets?of=creator               401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
GET    /files/facets?of=size&pool=:pool_id    401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /files/map                             401    401     200:0    200:3  200:3  200:3  200:3 200:3         read
GET    /files/map?pool=:pool_id               401    401     403      200:2  200:2  200:2  200:2 200:2         read
GET    /files/this-day?day=2021-05-06         401    401     200      200    200    200    200   200           read
GET    /files/timeline?pool=:pool_id          401    401     403      200    200    200    200   200           read
POST   /files                                 401    401     403      403    403    403    201   201           upload
OPTIONS /uploads                              401    401     204=     204=   204=   204=   204=  204=          never
POST   /uploads                               401    401     403      403    403    403    201   201           upload
GET    /uploads/:upload_id                    401    401     404      404    404    404    200   404           upload
PATCH  /uploads/:upload_id                    401    401     403      403    403    403    204   404           upload
DELETE /uploads/:upload_id                    401    401     404      404    404    404    204   404           upload
GET    /files/:file_id                        401    401     403      200    200    200    200   200           read
PATCH  /files/:file_id                        401    401     403      403    200    403    200   200           tag
DELETE /files/:file_id                        401    401     403      403    204    403    204   204           admin
GET    /files/:file_id/content                401    401     403      200    200    200    200   200           read
PUT    /files/:file_id/content                401    401     403      403    200    403    200   200           admin
POST   /files/:file_id/content-token          401    401     403      200=   200=   200=   200=  200=          read
GET    /files/:file_id/thumbnail              401    401     403      200    200    200    200   200           read
GET    /files/:file_id/preview                401    401     403      200    200    200    200   200           read
POST   /files/:file_id/views                  401    401     403      204    204    204    204   204           read
PUT    /files/:file_id/favourite              401    401     403      204    204    204    204   204           tag
DELETE /files/:file_id/favourite              401    401     403      204=   204=   204=   204=  204=          tag
POST   /files/:trashed_id/restore             401    401     403      403    200    403    200   200           admin
DELETE /files/:file_id/permanent              401    401     403      403    409    403    409   409           admin
DELETE /files/:trashed_id/permanent           401    401     403      403    204    403    204   204           admin
GET    /files/:file_id/tags                   401    401     403      200:1  200:1  200:1  200:1 200:1         read
PUT    /files/:file_id/tags                   401    401     403      403    200:2  403    200:2 200:2         tag
PUT    /files/:file_id/tags/:free_tag_id      401    401     403      403    200:2  403    200:2 200:2         tag
DELETE /files/:file_id/tags/:tag_id           401    401     403      403    204    403    204   204           tag
POST   /files/bulk/tags                       401    401     403      200=   200    200=   200   200           tag
POST   /files/bulk/delete                     401    401     204=     204=   204    204=   204   204           admin
POST   /files/bulk/update                     401    401     200=     200=   200    200=   200   200           admin
POST   /files/bulk/restore                    401    401     200=     200=   200    200=   200   200           admin
POST   /files/bulk/permanent                  401    401     200=     200=   200    200=   200   200           admin
POST   /files/bulk/share                      401    401     200=     200=   200=   200=   200   200           admin
POST   /files/reach                           401    401     200=     200=   200=   200=   200=  200=          read
GET    /files/new                             401    401     200      200    200    200    200   200           read
GET    /changes                               401    401     200      200    200    200    200   200           never
POST   /files/known                           401    401     200=     200=   200=   200=   200=  200=          any
POST   /files/archive                         401    401     200=     200=   200=   200=   200=  200=          read
GET    /files/archive                         401    401     401      401    401    401    401   401           free
POST   /files/bulk/review                     401    401     204=     204=   204    204=   204   204           tag
POST   /files/bulk/favourite                  401    401     200=     200    200    200    200   200           tag
POST   /files/bulk/common-tags                401    401     200=     200=   200=   200=   200=  200=          read
GET    /files/duplicates                      401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
GET    /files/duplicates/ids                  401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
POST   /files/duplicates/dismiss              401    401     403      204    204    204    204   204           admin
POST   /files/duplicates/resolve              401    401     403      403    200    403    200   200           admin
GET    /files/duplicates/proposals            401    401     200:0    200:0  200:1  200:0  200:1 200:1         read
POST   /files/duplicates/proposals/settle     401    401     200=     200=   200    200=   200   200           admin
GET    /files/duplicates/rescan               401    401     403      403    403    403    403   200           admin
POST   /files/duplicates/rescan               401    401     403      403    403    403    403   200           admin
GET    /files/:file_id/similar                401    401     403      200:1  200:1  200:1  200:1 200:1         read
POST   /files/similar                         401    401     200:0=   200:2= 200:2= 200:2= 200:2= 200:2=       read
GET    /files/import                          401    401     403      403    403    403    403   200           admin
POST   /files/import                          401    401     403      403    403    403    403   200=          admin
GET    /files/import/count                    401    401     403      403    403    403    403   200           admin
GET    /files/import/folders                  401    401     403      403    403    403    403   200           admin
DELETE /files/import                          401    401     403      403    403    403    403   409           admin
GET    /tags                                  401    401     200:0    200:3  200:3  200:3  200:3 200:3         read
POST   /tags                                  401    401     403      403    403    403    201   201           tag
GET    /tags/:tag_id                          401    401     403      200    200    200    200   200           read
PATCH  /tags/:tag_id                          401    401     403      403    200    403    200   200           admin
DELETE /tags/:tag_id                          401    401     403      403    204    403    204   204           admin
POST   /tags/:tag_id/merge                    401    401     403      403    200    403    200   200           admin
GET    /tags/:tag_id/files                    401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /tags/:tag_id/rules                    401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /tags/counts                           401    401     200      200    200    200    200   200           read
GET    /tags/counts?pool=:pool_id             401    401     403      200    200    200    200   200           read
GET    /tags/rules                            401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
POST   /tags/:tag_id/rules                    401    401     403      403    201    403    201   201           admin
PATCH  /tags/:tag_id/rules/:then_tag_id       401    401     403      403    200    403    200   200           admin
DELETE /tags/:tag_id/rules/:then_tag_id       401    401     403      403    204    403    204   204           admin
GET    /categories                            401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
POST   /categories                            401    401     403      403    403    403    201   201           admin
GET    /categories/:category_id               401    401     403      200    200    200    200   200           read
PATCH  /categories/:category_id               401    401     403      403    200    403    200   200           admin
DELETE /categories/:category_id               401    401     403      403    204    403    204   204           admin
GET    /categories/:category_id/tags          401    401     403      200:1  200:1  200:1  200:1 200:1         read
GET    /pools                                 401    401     200:0    200:1  200:1  200:1  200:1 200:1         read
POST   /pools                                 401    401     403      403    403    403    201   201           tag
GET    /pools/:pool_id                        401    401     403      200    200    200    200   200           read
PATCH  /pools/:pool_id                        401    401     403      403    200    403    200   200           tag
DELETE /pools/:pool_id                        401    401     403      403    204    403    204   204           admin
POST   /pools/:pool_id/views                  401    401     403      204    204    204    204   204           read
GET    /pools/:pool_id/files                  401    401     403      200:2  200:2  200:2  200:2 200:2         read
POST   /pools/:pool_id/files                  401    401     403      403    201    403    201   201           tag
POST   /pools/:pool_id/files/remove           401    401     403      403    204    403    204   204           tag
PUT    /pools/:pool_id/files/reorder          401    401     403      403    204    403    204   204           tag
GET    /shares                                401    401     200:0    200:0  200:0  200:0  200:1 200:1         never
POST   /shares                                401    401     403      201    201    201    201   201           never
POST   /shares/reach                          401    401     403      200=   200=   200=   200=  200=          never
DELETE /shares/:share_id                      401    401     404      404    404    404    204   204           never
GET    /acl/file/:file_id                     401    401     403      403    403    403    200:2 200:2         admin
PUT    /acl/file/:file_id                     401    401     403      403    403    403    200:1 200:1         admin
GET    /acl/tag/:tag_id                       401    401     403      403    403    403    200:2 200:2         admin
PUT    /acl/tag/:tag_id                       401    401     403      403    403    403    200:1 200:1         admin
GET    /acl/category/:category_id             401    401     403      403    403    403    200:2 200:2         admin
PUT    /acl/category/:category_id             401    401     403      403    403    403    200:1 200:1         admin
GET    /acl/pool/:pool_id                     401    401     403      403    403    403    200:2 200:2         admin
PUT    /acl/pool/:pool_id                     401    401     403      403    403    403    200:1 200:1         admin
`

const [HEAD, ...LINES] = MATRIX.trim()
  .split('\n')
  .map((line) => line.split(/ +/))

/** The callers, in the order of the cells. */
export const CALLERS = HEAD!.slice(1, -1)
/** The endpoints, with how each caller is answered, and the scope that a key needs. */
export const ROWS = LINES.map(([method, path, ...cells]) => ({
  method: method!,
  path: path!,
  cells: cells.slice(0, -1),
  scope: cells.at(-1)!,
}))
