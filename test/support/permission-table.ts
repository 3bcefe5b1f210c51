// Every endpoint, and how each caller is answered. The objects are those of the owner, who may
// create; the viewer and the editor have ACL entries for all of them; "public" is the stranger once
// all objects are public. After a status, `:n` means that the list has n items, `=` means a success
// that changes nothing, where a plain one must change something, and `!` means an error that is
// written down, where a plain one must leave everything as it is.
const MATRIX = `
ENDPOINT                                      nobody blocked stranger viewer editor public owner admin
GET    /                                      200    200     200      200    200    200    200   200
GET    /docs                                  200    200     200      200    200    200    200   200
GET    /docs/:hash/:name                      404    404     404      404    404    404    404   404
GET    /health                                200    200     200      200    200    200    200   200
GET    /worker.js                             200    200     200      200    200    200    200   200
POST   /share                                 303    303     303      303    303    303    303   303
GET    /web/assets/:name                      404    404     404      404    404    404    404   404
POST   /web/session                           200    403!    200      200    200    200    200   200
POST   /web/session/refresh                   204=   401     200=     200=   200=   200=   200=  200=
DELETE /web/session                           204=   204=    204      204    204    204    204   204
GET    /web/media/:media/:file_id/thumbnail   401    401     403      200    200    200    200   200
GET    /web/media/:media/:file_id/preview     401    401     403      200    200    200    200   200
GET    /web/media/:media/:file_id/full        401    401     403      200    200    200    200   200
GET    /web/media/:media/:file_id/content     401    401     403      200    200    200    200   200
GET    /openapi.json                          200    200     200      200    200    200    200   200
POST   /auth/login                            200    403!    200      200    200    200    200   200
POST   /auth/refresh                          200    401     200      200    200    200    200   200
POST   /auth/logout                           401    401     204      204    204    204    204   204
GET    /auth/sessions                         401    401     200:1    200:1  200:1  200:1  200:1 200:1
DELETE /auth/sessions/:session_id             401    401     404      404    404    404    204   204
GET    /status                                401    401     403      403    403    403    403   200
GET    /users                                 401    401     403      403    403    403    403   200:7
POST   /users                                 401    401     403      403    403    403    403   201
GET    /users/me                              401    401     200      200    200    200    200   200
PATCH  /users/me                              401    401     200      200    200    200    200   200
GET    /users/me/settings                     401    401     200      200    200    200    200   200
PUT    /users/me/settings                     401    401     200      200    200    200    200   200
GET    /people                                401    401     200:6    200:6  200:6  200:6  200:6 200:6
GET    /users/:user_id                        401    401     403      403    403    403    403   200
PATCH  /users/:user_id                        401    401     403      403    403    403    403   200
DELETE /users/:user_id                        401    401     403      403    403    403    403   204
POST   /users/:user_id/password               401    401     403      403    403    403    403   200
GET    /audit?action=file_create              401    401     403      403    403    403    403   200:1
POST   /operations/:operation/undo            401    401     403      403    403    403    200   200
GET    /files/:file_id/history                401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /files                                 401    401     200:0    200:3  200:3  200:3  200:3 200:3
GET    /files?trash=true                      401    401     200:0    200:1  200:1  200:1  200:1 200:1
GET    /files?anchor=:file_id                 401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /files/ids                             401    401     200:0    200:3  200:3  200:3  200:3 200:3
GET    /files/ids?pool=:pool_id               401    401     403      200:2  200:2  200:2  200:2 200:2
GET    /files/cells                           401    401     200:0    200:3  200:3  200:3  200:3 200:3
GET    /files/cells?anchor=:file_id           401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /files/cells?pool=:pool_id             401    401     403      200:2  200:2  200:2  200:2 200:2
GET    /files/timeline                        401    401     200      200    200    200    200   200
GET    /files/facets?of=creator               401    401     200:0    200:1  200:1  200:1  200:1 200:1
GET    /files/facets?of=size&pool=:pool_id    401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /files/map                             401    401     200:0    200:3  200:3  200:3  200:3 200:3
GET    /files/map?pool=:pool_id               401    401     403      200:2  200:2  200:2  200:2 200:2
GET    /files/this-day?day=2021-05-06         401    401     200      200    200    200    200   200
GET    /files/timeline?pool=:pool_id          401    401     403      200    200    200    200   200
POST   /files                                 401    401     403      403    403    403    201   201
GET    /files/:file_id                        401    401     403      200    200    200    200   200
PATCH  /files/:file_id                        401    401     403      403    200    403    200   200
DELETE /files/:file_id                        401    401     403      403    204    403    204   204
GET    /files/:file_id/content                401    401     403      200    200    200    200   200
PUT    /files/:file_id/content                401    401     403      403    200    403    200   200
POST   /files/:file_id/content-token          401    401     403      200=   200=   200=   200=  200=
GET    /files/:file_id/thumbnail              401    401     403      200    200    200    200   200
GET    /files/:file_id/preview                401    401     403      200    200    200    200   200
POST   /files/:file_id/views                  401    401     403      204    204    204    204   204
PUT    /files/:file_id/favourite              401    401     403      204    204    204    204   204
DELETE /files/:file_id/favourite              401    401     403      204=   204=   204=   204=  204=
POST   /files/:trashed_id/restore             401    401     403      403    200    403    200   200
DELETE /files/:file_id/permanent              401    401     403      403    409    403    409   409
DELETE /files/:trashed_id/permanent           401    401     403      403    204    403    204   204
GET    /files/:file_id/tags                   401    401     403      200:1  200:1  200:1  200:1 200:1
PUT    /files/:file_id/tags                   401    401     403      403    200:2  403    200:2 200:2
PUT    /files/:file_id/tags/:free_tag_id      401    401     403      403    200:2  403    200:2 200:2
DELETE /files/:file_id/tags/:tag_id           401    401     403      403    204    403    204   204
POST   /files/bulk/tags                       401    401     403      200=   200    200=   200   200
POST   /files/bulk/delete                     401    401     204=     204=   204    204=   204   204
POST   /files/bulk/update                     401    401     200=     200=   200    200=   200   200
POST   /files/bulk/restore                    401    401     200=     200=   200    200=   200   200
POST   /files/bulk/permanent                  401    401     200=     200=   200    200=   200   200
POST   /files/bulk/share                      401    401     200=     200=   200=   200=   200   200
POST   /files/reach                           401    401     200=     200=   200=   200=   200=  200=
GET    /files/new                             401    401     200      200    200    200    200   200
GET    /changes                               401    401     200      200    200    200    200   200
POST   /files/known                           401    401     200=     200=   200=   200=   200=  200=
POST   /files/archive                         401    401     200=     200=   200=   200=   200=  200=
GET    /files/archive                         401    401     401      401    401    401    401   401
POST   /files/bulk/review                     401    401     204=     204=   204    204=   204   204
POST   /files/bulk/favourite                  401    401     200=     200    200    200    200   200
POST   /files/bulk/common-tags                401    401     200=     200=   200=   200=   200=  200=
GET    /files/duplicates                      401    401     200:0    200:1  200:1  200:1  200:1 200:1
GET    /files/duplicates/ids                  401    401     200:0    200:1  200:1  200:1  200:1 200:1
POST   /files/duplicates/dismiss              401    401     403      204    204    204    204   204
POST   /files/duplicates/resolve              401    401     403      403    200    403    200   200
GET    /files/duplicates/proposals            401    401     200:0    200:0  200:1  200:0  200:1 200:1
POST   /files/duplicates/proposals/settle     401    401     200=     200=   200    200=   200   200
GET    /files/duplicates/rescan               401    401     403      403    403    403    403   200
POST   /files/duplicates/rescan               401    401     403      403    403    403    403   200
GET    /files/:file_id/similar                401    401     403      200:1  200:1  200:1  200:1 200:1
POST   /files/similar                         401    401     200:0=   200:2= 200:2= 200:2= 200:2= 200:2=
GET    /files/import                          401    401     403      403    403    403    403   200
POST   /files/import                          401    401     403      403    403    403    403   200=
GET    /files/import/count                    401    401     403      403    403    403    403   200
GET    /files/import/folders                  401    401     403      403    403    403    403   200
DELETE /files/import                          401    401     403      403    403    403    403   409
GET    /tags                                  401    401     200:0    200:3  200:3  200:3  200:3 200:3
POST   /tags                                  401    401     403      403    403    403    201   201
GET    /tags/:tag_id                          401    401     403      200    200    200    200   200
PATCH  /tags/:tag_id                          401    401     403      403    200    403    200   200
DELETE /tags/:tag_id                          401    401     403      403    204    403    204   204
POST   /tags/:tag_id/merge                    401    401     403      403    200    403    200   200
GET    /tags/:tag_id/files                    401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /tags/:tag_id/rules                    401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /tags/counts                           401    401     200      200    200    200    200   200
GET    /tags/counts?pool=:pool_id             401    401     403      200    200    200    200   200
GET    /tags/rules                            401    401     200:0    200:1  200:1  200:1  200:1 200:1
POST   /tags/:tag_id/rules                    401    401     403      403    201    403    201   201
PATCH  /tags/:tag_id/rules/:then_tag_id       401    401     403      403    200    403    200   200
DELETE /tags/:tag_id/rules/:then_tag_id       401    401     403      403    204    403    204   204
GET    /categories                            401    401     200:0    200:1  200:1  200:1  200:1 200:1
POST   /categories                            401    401     403      403    403    403    201   201
GET    /categories/:category_id               401    401     403      200    200    200    200   200
PATCH  /categories/:category_id               401    401     403      403    200    403    200   200
DELETE /categories/:category_id               401    401     403      403    204    403    204   204
GET    /categories/:category_id/tags          401    401     403      200:1  200:1  200:1  200:1 200:1
GET    /pools                                 401    401     200:0    200:1  200:1  200:1  200:1 200:1
POST   /pools                                 401    401     403      403    403    403    201   201
GET    /pools/:pool_id                        401    401     403      200    200    200    200   200
PATCH  /pools/:pool_id                        401    401     403      403    200    403    200   200
DELETE /pools/:pool_id                        401    401     403      403    204    403    204   204
POST   /pools/:pool_id/views                  401    401     403      204    204    204    204   204
GET    /pools/:pool_id/files                  401    401     403      200:2  200:2  200:2  200:2 200:2
POST   /pools/:pool_id/files                  401    401     403      403    201    403    201   201
POST   /pools/:pool_id/files/remove           401    401     403      403    204    403    204   204
PUT    /pools/:pool_id/files/reorder          401    401     403      403    204    403    204   204
GET    /acl/file/:file_id                     401    401     403      403    403    403    200:2 200:2
PUT    /acl/file/:file_id                     401    401     403      403    403    403    200:1 200:1
GET    /acl/tag/:tag_id                       401    401     403      403    403    403    200:2 200:2
PUT    /acl/tag/:tag_id                       401    401     403      403    403    403    200:1 200:1
GET    /acl/category/:category_id             401    401     403      403    403    403    200:2 200:2
PUT    /acl/category/:category_id             401    401     403      403    403    403    200:1 200:1
GET    /acl/pool/:pool_id                     401    401     403      403    403    403    200:2 200:2
PUT    /acl/pool/:pool_id                     401    401     403      403    403    403    200:1 200:1
`

const [HEAD, ...LINES] = MATRIX.trim()
  .split('\n')
  .map((line) => line.split(/ +/))

/** The callers, in the order of the cells. */
export const CALLERS = HEAD!.slice(1)
/** The endpoints, with how each caller is answered. */
export const ROWS = LINES.map(([method, path, ...cells]) => ({
  method: method!,
  path: path!,
  cells,
}))
