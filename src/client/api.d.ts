// Made by `npm run client` from the OpenAPI document; changes are lost.

export interface paths {
  '/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Check whether the server is running
     * @description Needs no token. The answer is the same for as long as the server runs.
     */
    get: operations['getHealth']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get this document
     * @description Needs no token. It is made from the schemas that check requests and write answers. Clients can be generated from it.
     */
    get: operations['getOpenApi']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get this document: headers only
     * @description Needs no token. It is made from the schemas that check requests and write answers. Clients can be generated from it.
     */
    head: operations['headOpenApi']
    patch?: never
    trace?: never
  }
  '/web/session': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in to the page
     * @description For the page of this server: with `Content-Type: application/json` and `X-Tagstead: 1`, and from no other site. Limits and errors are those of `POST /api/v1/auth/login`.
     */
    post: operations['signInToWeb']
    /**
     * Sign out of the page
     * @description For the page of this server: with `Content-Type: application/json` and `X-Tagstead: 1`, and from no other site. Ends the session and removes both cookies, if there are any.
     */
    delete: operations['signOutOfWeb']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/web/session/refresh': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Get a new access token for the page
     * @description For the page of this server: with `Content-Type: application/json` and `X-Tagstead: 1`, and from no other site. The lifetime of the session starts again once a day, with new cookies. The previous cookies stay valid until the next renewal; older ones end the session, with 401 and without both cookies. A browser that has none is nobody’s, which is 204.
     */
    post: operations['refreshWebSession']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/web/media/{media}/{file_id}/thumbnail': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the thumbnail of a file for the page
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. Otherwise as `GET /api/v1/files/{file_id}/thumbnail`.
     */
    get: operations['getWebThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the thumbnail of a file for the page: headers only
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. Otherwise as `GET /api/v1/files/{file_id}/thumbnail`.
     */
    head: operations['headWebThumbnail']
    patch?: never
    trace?: never
  }
  '/web/media/{media}/{file_id}/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the preview of a file for the page
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. Otherwise as `GET /api/v1/files/{file_id}/preview`.
     */
    get: operations['getWebPreview']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the preview of a file for the page: headers only
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. Otherwise as `GET /api/v1/files/{file_id}/preview`.
     */
    head: operations['headWebPreview']
    patch?: never
    trace?: never
  }
  '/web/media/{media}/{file_id}/full': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get all pixels of a picture for the page
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. If browsers can show the content, it is the content itself. For HEIC, TIFF and RAW of up to 100 megapixels it is a JPEG. For everything else, and while too many are to be made, it is the preview.
     */
    get: operations['getWebFull']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get all pixels of a picture for the page: headers only
     * @description For the page, by its cookie. The browser caches it for a day if `v` is the `version` of the file, and otherwise not at all. If browsers can show the content, it is the content itself. For HEIC, TIFF and RAW of up to 100 megapixels it is a JPEG. For everything else, and while too many are to be made, it is the preview.
     */
    head: operations['headWebFull']
    patch?: never
    trace?: never
  }
  '/web/media/{media}/{file_id}/content': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the content of a file for the page
     * @description For the page, by its cookie. The content has its own type, to be shown, or saved through the attribute `download` of a link. Ranges and validators are those of `GET /api/v1/files/{file_id}/content`.
     */
    get: operations['getWebContent']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the content of a file for the page: headers only
     * @description For the page, by its cookie. The content has its own type, to be shown, or saved through the attribute `download` of a link. Ranges and validators are those of `GET /api/v1/files/{file_id}/content`.
     */
    head: operations['headWebContent']
    patch?: never
    trace?: never
  }
  '/s/{token}/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what a link shows
     * @description Films of living pictures are named beside their pictures. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['listShared']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/s/{token}/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send the password of a link
     * @description With `Content-Type: application/json` and `X-Tagstead: 1`, and from no other site. After 10 wrong passwords of a link in a minute, every one gets 429 for a while.
     */
    post: operations['openShared']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/s/{token}/f/{file}/thumbnail': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the thumbnail of a file that a link shows
     * @description As `GET /api/v1/files/{file_id}/thumbnail`. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['getSharedThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the thumbnail of a file that a link shows: headers only
     * @description As `GET /api/v1/files/{file_id}/thumbnail`. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    head: operations['headSharedThumbnail']
    patch?: never
    trace?: never
  }
  '/s/{token}/f/{file}/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the preview of a file that a link shows
     * @description As `GET /api/v1/files/{file_id}/preview`. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['getSharedPreview']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the preview of a file that a link shows: headers only
     * @description As `GET /api/v1/files/{file_id}/preview`. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    head: operations['headSharedPreview']
    patch?: never
    trace?: never
  }
  '/s/{token}/f/{file}/film': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Play a film that a link shows
     * @description A film that can only be shown as a picture gets 404, and so does a picture. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['getSharedFilm']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Play a film that a link shows: headers only
     * @description A film that can only be shown as a picture gets 404, and so does a picture. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    head: operations['headSharedFilm']
    patch?: never
    trace?: never
  }
  '/s/{token}/f/{file}/content': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Save a file that a link shows
     * @description What the link lets be saved of it: its content or its preview; 403 where that is nothing. A content is without a name, which the page of the link gives. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['getSharedContent']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Save a file that a link shows: headers only
     * @description What the link lets be saved of it: its content or its preview; 403 where that is nothing. A content is without a name, which the page of the link gives. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    head: operations['headSharedContent']
    patch?: never
    trace?: never
  }
  '/s/{token}/archive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Save all that a link shows
     * @description A ZIP without compression, made while it is read, of what the link lets be saved of each file; 403 where that is nothing. Two are sent of a link at once, and ten of all. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    get: operations['getSharedArchive']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/s/{token}/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add a file through a link
     * @description With `X-Tagstead: 1`, and from no other site. The file goes to the inbox of the maker of the link, with the name of the guest as its notes, and counts in their quota; one whose content the maker has already is not stored again. 403 where the link takes none. A link that has ended, that never was, or whose maker is blocked or may no longer view the pool gets 404; one with a password 401 until that was sent.
     */
    post: operations['uploadShared']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/login': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Sign in
     * @description Starts a session. A blocked user with the right password gets 403. The body may have at most 8 KiB. A name or password of more than 1024 bytes, or with more than 30 combining marks in a row, counts as wrong. After too many failed attempts by a client, all its attempts get 429 for up to a minute, even with the right password. After 20 failures for a name within an hour, from any client, an answer for that name takes up to 15 seconds longer, except in networks from which its user has signed in before. It is 429 when too many of them are waiting, from this client or from all clients. A client that hangs up while it waits has used an attempt.
     */
    post: operations['login']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/refresh': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Exchange a refresh token for new tokens
     * @description The lifetime of the session starts again. The previous access token stays valid until it expires. The body may have at most 8 KiB. After too many failed attempts by a client, all its attempts get 429 for up to a minute.
     */
    post: operations['refresh']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/content': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download the content of a file
     * @description The content is sent as an attachment of type application/octet-stream, or, with `inline=1`, with its own type for display; of RAW and JPEG XL, which browsers don’t show, `inline=1` sends the preview. A single byte range (Range, If-Range) and the validators of an earlier answer (If-None-Match, If-Modified-Since) are respected.
     */
    get: operations['getFileContent']
    /**
     * Replace the content of a file
     * @description The file keeps its id, fields, tags, pools and rights. Its type, EXIF, perceptual hash, thumbnail and preview become those of the new content, as does its name if one is sent.
     */
    put: operations['replaceFileContent']
    post?: never
    delete?: never
    options?: never
    /**
     * Download the content of a file: headers only
     * @description The content is sent as an attachment of type application/octet-stream, or, with `inline=1`, with its own type for display; of RAW and JPEG XL, which browsers don’t show, `inline=1` sends the preview. A single byte range (Range, If-Range) and the validators of an earlier answer (If-None-Match, If-Modified-Since) are respected.
     */
    head: operations['headFileContent']
    patch?: never
    trace?: never
  }
  '/api/v1/files/archive': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Download an archive
     * @description The archive holds the files that the user who requested it may view when the download begins. It is a ZIP without compression, made while it is read, and is always sent whole. Contents that are replaced or deleted in the meantime are sent as they were. Content that can not be read is replaced with zeros, and a last file `MISSING.txt` names it. A user may download two archives at once, and all users together ten.
     */
    get: operations['getArchive']
    put?: never
    /**
     * Request many files as one ZIP
     * @description The token is for one download, which must begin within ten minutes with the token in the query. Files are left out if they do not exist, if the caller may not view them, or if they are in the trash. There may be at most 100,000 files and 200 GB. The server remembers the last three archives that a user requested, and the last twenty of all users, until it stops. The token becomes invalid when the user is blocked or gets a new password.
     */
    post: operations['createArchive']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/changes': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Wait until files that the caller sees change
     * @description The answer comes within a second of a change, or after `wait` seconds without one. A file is named to whoever sees it now, or has just lost sight of it; favourites and views are no changes. One request of a session may wait: the next one ends it with 409. When 200 are waiting, the answer is 503.
     */
    get: operations['waitForChanges']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/logout': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * End the current session
     * @description Its tokens stop being valid; content tokens remain valid.
     */
    post: operations['logout']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/sessions': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the sessions of the caller
     * @description Only sessions that have not ended. `is_current` marks the session of this request.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/sessions/{session_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a session
     * @description Users may end their own sessions; admins may end any.
     */
    delete: operations['endSession']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the keys of the caller
     * @description Only keys that have not ended, and without the keys themselves.
     */
    get: operations['listKeys']
    put?: never
    /**
     * Make a key for an app
     * @description Only this answer contains the key. It never gives more than its user may do at the moment; the scope `admin` is for admins only. A user may have 100 keys; more get 409.
     */
    post: operations['createKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/auth/keys/{key_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a key
     * @description Users may end their own keys; admins may end any.
     */
    delete: operations['endKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/users': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List users
     * @description For admins only.
     */
    get: operations['listUsers']
    put?: never
    /**
     * Create a user
     * @description For admins only.
     */
    post: operations['createUser']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/people': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the names of all users who may sign in
     * @description Ordered by name, including the caller, and only the first 1,000. Blocked users are left out.
     */
    get: operations['listPeople']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/users/me': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the caller
     * @description The user that the token belongs to, and what they may do.
     */
    get: operations['getSelf']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /**
     * Change the name or password of the caller
     * @description A new password ends all of the caller's other sessions. A wrong `current_password` gets 403 and counts as a failed attempt to sign in.
     */
    patch: operations['updateSelf']
    trace?: never
  }
  '/api/v1/users/{user_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a user
     * @description For admins only.
     */
    get: operations['getUser']
    put?: never
    post?: never
    /**
     * Delete a user; what they created passes to the caller
     * @description For admins only. The user is signed out and disappears at once, and the name is free. The answer comes when everything has passed on; other requests go on meanwhile. Deleting oneself gets 409, so an admin always remains.
     */
    delete: operations['deleteUser']
    options?: never
    head?: never
    /**
     * Change the rights of a user
     * @description For admins only. Blocking ends all sessions and keys of the user. Users who block themselves, or who would leave no admin unblocked, get 409.
     */
    patch: operations['updateUser']
    trace?: never
  }
  '/api/v1/users/{user_id}/password': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Give a user a new, generated password
     * @description For admins only. Only this answer contains the password. All sessions of the user end, and the old password stops working. For oneself, the answer is 409. A wrong `current_password` gets 403 and counts as a failed attempt to sign in.
     */
    post: operations['resetPassword']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/users/me/settings': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the settings of the caller
     * @description An empty object before they are first set.
     */
    get: operations['getSettings']
    /**
     * Replace the settings of the caller
     * @description Keys that are absent are removed. There is no audit entry.
     */
    put: operations['replaceSettings']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List clusters of files that look alike
     * @description A cluster is a group of files joined by pairs within DUPLICATE_HASH_THRESHOLD. Files that the caller may not view, files in the trash and dismissed pairs are left out. A page ends before it passes 8 MiB, but has at least one cluster. The next page begins after as many clusters as it has.
     */
    get: operations['listDuplicates']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/ids': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List clusters of files that look alike, with only the ids of their files
     * @description The clusters of `GET /files/duplicates`, in the same order, for clients that decide one cluster after another. A large cluster comes with as many files as are decided before it is requested again.
     */
    get: operations['listDuplicateIds']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/dismiss': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Record that two files are not duplicates
     * @description This applies to everybody, and also to later rescans. The caller must have the right to view both files.
     */
    post: operations['dismissDuplicate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/resolve': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Merge one file into another
     * @description The caller must have the right to edit both files. If either is in the trash, or if the survivor would have more than 1,000 tags, the answer is 409.
     */
    post: operations['resolveDuplicate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/proposals': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List which copies could be merged without a loss
     * @description Lists copies among files of one creator that the caller may edit and that are not in the trash. A copy has equal contents, or is a smaller version of a still picture, as of the last rescan. Two files are never in the same item if they were dismissed as a pair, if their notes, values of metadata or given dates differ, or if one has a given date and the other a different date that was read from its content. More than 1,000 files of equal contents are not proposed, and neither are more than 50 of them that have notes, metadata or a given date. Those are decided by hand.
     */
    get: operations['listDuplicateProposals']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/proposals/settle': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Merge copies as proposed
     * @description The kept file gets the tags, pools and metadata of the discarded ones, their notes if it has none, and a better date. It becomes public if one of them was. Everybody who could view or edit one of them through its access list can do the same with the kept file. The discarded files go to the trash. Each item is settled completely or skipped. All of them are one operation, which can be undone.
     */
    post: operations['settleDuplicateProposals']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/duplicates/rescan': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of the rescan, or the result of the last one
     * @description For admins only. Reports the rescan that this server is running, no matter who started it, even the server itself. Otherwise it reports the last one: from memory if this server has run it since its start, else from the audit log, as for `tagstead rescan`. A rescan whose client hung up is `failed`.
     */
    get: operations['getRescan']
    put?: never
    /**
     * Look for duplicates again
     * @description For admins only. All files are compared, in a separate process. While another rescan is running, the answer is 409.
     */
    post: operations['rescanDuplicates']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/similar': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the files that look like a given file, nearest first
     * @description Lists only files that the caller may view, and not the file itself. For a file without a hash, the list is empty.
     */
    get: operations['listSimilarFiles']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/similar': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * List the files that look like a picture that is not stored
     * @description Lists only files that the caller may view. The picture is hashed and then discarded.
     */
    post: operations['findSimilarFiles']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the progress of the import, or the result of the last one
     * @description For admins only. Reports the import of any admin, while it runs and until the next one begins. It is `running` until another one may begin, and also `failed` when its client hung up. An import that was stopped is `done`, like its stream. Only imports that this server has run since its start are reported, and none of `tagstead import`.
     */
    get: operations['getImport']
    put?: never
    /**
     * Import the files of a folder on the server
     * @description For admins only. The files in the folder become files of the caller, or of `owner`, and are removed from the folder. Folders in it stay; they are skipped, or searched with `recursive`. A picture and its film become one living picture, as with `pair` of an upload; without a `ContentIdentifier` they must come from one folder. A dry run reports what would be done, and does nothing. The answer is 409 while another import is running, when import is turned off, or while the server can't determine whether backups or another library are there. When the client hangs up or the server stops, the import ends after the current file.
     */
    post: operations['importFiles']
    /**
     * Stop the running import
     * @description For admins only, no matter who started it. The import ends after the current file. Its stream ends with `done`, which GET also reports from then on. What was imported stays, and has its audit entries as one operation. When no import of this server is running, the answer is 409.
     */
    delete: operations['endImport']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/import/folders': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the folders that may be imported
     * @description For admins only. Lists the folders directly in one folder, by name, and only the first 1,000. Links and folders whose name is not UTF-8 are left out. When import is turned off, the answer is 409.
     */
    get: operations['listImportFolders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/import/count': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count the photos and videos in a folder that may be imported
     * @description For admins only. Takes at most a few seconds, and reads no file: a dry run does. When import is turned off, the answer is 409.
     */
    get: operations['countImport']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add tags to many files or remove tags from them
     * @description The number of files times the number of tags, including tags that follow by rules, may be at most 40,000. Files that do not exist or that the caller may not edit are skipped. If one of the others would have more than 1,000 tags, including hidden ones, the answer is 409 and nothing has changed.
     */
    post: operations['bulkTags']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/update': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Change fields of many files, move their dates, or turn them
     * @description Files are skipped if they do not exist, if the caller may not edit them, or if their date would leave the years 0001 to 9999. When notes are changed, the old and the new notes of all files together may have at most 4 MiB.
     */
    post: operations['bulkUpdate']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Move many files to the trash
     * @description Files that do not exist or that the caller may not edit are skipped.
     */
    post: operations['bulkDelete']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore many files from the trash
     * @description Files that do not exist or that the caller may not edit are skipped.
     */
    post: operations['bulkRestore']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/permanent': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Delete many trashed files for good
     * @description Their contents are also deleted, and they are removed from all pools. Files are skipped if they do not exist, if the caller may not edit them, or if they are not in the trash.
     */
    post: operations['bulkDeletePermanently']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/review': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Mark many files as reviewed or as needing review
     * @description Files that do not exist or that the caller may not edit are skipped.
     */
    post: operations['bulkReview']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/common-tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Compare the tags of many files
     * @description Only files and tags that the caller may view are compared.
     */
    post: operations['commonTags']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/favourite': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Make a file a favourite of the caller
     * @description For callers who may view it. Favourites are of each user alone: nobody else sees them, and admins do not either. One that the caller loses sight of is a favourite again when it comes back.
     */
    put: operations['addFavourite']
    post?: never
    /**
     * Make a file a favourite of the caller no longer
     * @description For callers who may view it.
     */
    delete: operations['removeFavourite']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/favourite': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make many files favourites of the caller, or no longer
     * @description Files that do not exist or that the caller may not view are skipped. Favourites are of each user alone: nobody else sees them, and admins do not either.
     */
    post: operations['bulkFavourite']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/bulk/share': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Share many files, or the files of a pool
     * @description Adds entries to the list of each file and removes entries from it; other entries stay. Files that do not exist are skipped, and so are files that the caller did not create, unless the caller is an admin. The number of files times the number of users may be at most 40,000, and a pool may have at most 10,000 files that the caller may view. An undo does not restore entries, but it restores whether a file is public. A pool that fills itself gets 409.
     */
    post: operations['bulkShare']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/reach': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Count the files that users see
     * @description Counts how many of the files, or of the files of a pool, each user may view and edit: as their creator, through their list, through a pool that shares its files, because they are public, or as an admin. Only files that the caller may view count. Callers who are not admins learn nothing about the rights to files that others created; these count only as `not_yours`. Named files also count when they are in the trash, where they can still be viewed; files of a pool do not, as in its list. Unknown and blocked users get 404.
     */
    post: operations['readReach']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/new': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Tell what others have shared
     * @description Counts the files of others that the caller has been let view since a time, by name or through a pool, and not before. Files in the trash and files that are only public do not count. Keep `until` for the next request.
     */
    get: operations['readNews']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/ids': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the ids of files
     * @description For selecting everything in a list. `total` counts all pages. Of a pool, only the files that the caller sees are listed.
     */
    get: operations['listFileIds']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/cells': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List files as the cells of a grid
     * @description The same pages as the list of files, but in columns and with only what a grid of pictures shows. With `pool`, and without a sort or an order, they are in the order of the pool.
     */
    get: operations['listCells']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/timeline': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count files by month
     * @description Months are those of the local time of the files. Each bucket has a cursor: from there, the list of files or its cells show that part of the month.
     */
    get: operations['getTimeline']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/facets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count files by what they have in common
     * @description Each value comes with the token that finds its files. To count what else could be chosen of a facet, leave its own condition out of the filter.
     */
    get: operations['countFacets']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/map': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count files by where they were taken
     * @description Cells are those of a geohash: `u2e` is about 156 km wide and high. Files that do not say where they were taken do not count.
     */
    get: operations['readMap']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/this-day': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Find what was taken on this day in earlier years
     * @description Goes back 100 years. Days are those of the local time of the files. The 29th of February is one of leap years only. Files in the trash do not count.
     */
    get: operations['readThisDay']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/known': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Find out which contents are in the library
     * @description A client need not send what is already there. If the caller may not view any of the files that have a content, it is left out, like a content that nobody has.
     */
    post: operations['findKnownFiles']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List files
     * @description A page starts at a cursor, at an anchor or at an end of the list. Items are always in the order of the list; a cursor is null if and only if nothing is left in its direction.
     */
    get: operations['listFiles']
    put?: never
    /**
     * Upload a file
     * @description For users who may create. The EXIF is read from the content, and the thumbnail and the perceptual hash are made from it. The same content may be uploaded again as another file, unless `on_duplicate` says otherwise: then a 409 names the existing file under `file_id` in `details`. Tags that follow from the given ones by rules are also added. More than 1,000 tags in all get 409. `pair` makes one living picture of a picture and its film.
     */
    post: operations['uploadFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a file
     * @description For callers who may view it. A file in the trash is also returned, and `is_deleted` says so.
     */
    get: operations['getFile']
    put?: never
    post?: never
    /**
     * Move a file to the trash
     * @description A file in the trash can still be viewed, and it can be restored. A file that is already there stays there.
     */
    delete: operations['trashFile']
    options?: never
    head?: never
    /**
     * Change the fields of a file
     * @description Absent fields stay as they are; `null` clears the name, the notes or the metadata.
     */
    patch: operations['updateFile']
    trace?: never
  }
  '/api/v1/files/{file_id}/restore': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Restore a file from the trash
     * @description A file that is not in the trash stays as it is.
     */
    post: operations['restoreFile']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/permanent': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a trashed file for good
     * @description The content is also deleted, and the file is removed from all pools. If the file is not in the trash, the answer is 409.
     */
    delete: operations['deleteFilePermanently']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/views': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Record that the caller viewed a file
     * @description For callers who may view it. Views of one day count once, with the time of the last.
     */
    post: operations['recordFileView']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/uploads': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Begin an upload in parts
     * @description For users who may create, by [tus](https://tus.io) 1.0.0. `Location` is where the parts go. The bytes that have come count for the quota; a user may have 20 such uploads, others get 409. One is removed 24 hours after its last byte.
     */
    post: operations['createUpload']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/uploads/{upload_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an upload in parts
     * @description HEAD answers with the headers alone, as tus asks. An answer ends a request that is just sending bytes, so ask only when that connection is lost. What has become a file is told for an hour, with `Upload-File-Id` and `Upload-File-Is-New` in the headers.
     */
    get: operations['getUpload']
    put?: never
    post?: never
    /**
     * Give up an upload in parts
     * @description Its bytes are removed. What has become a file stays.
     */
    delete: operations['discardUpload']
    options?: never
    head?: never
    /**
     * Send a part of an upload
     * @description With the last byte, the upload becomes a file as by `POST /files`, and the answer comes once that is done, with `Upload-File-Id` and, `true` or `false`, `Upload-File-Is-New`. The errors are those of `POST /files`, and 409 for another offset than the server has, or while another request sends. What has come before a connection breaks stays.
     */
    patch: operations['appendToUpload']
    trace?: never
  }
  '/api/v1/files/{file_id}/content-token': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a token for the content of one file
     * @description For callers who may view the file. Until the token expires, anybody who has it can read the content of this file, with the rights that the user who made it has at that moment. Send it as `access_token` in the query.
     */
    post: operations['createContentToken']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/thumbnail': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the thumbnail of a file
     * @description A JPEG of at most 320 x 320 pixels, or 640 x 640 with `size=640`. Of a file that is turned, its EXIF orientation says how to show it. It is a placeholder if the file can't be decoded. While the server has many to make, it sends the smaller one instead of the larger, as `no-store`.
     */
    get: operations['getFileThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the thumbnail of a file: headers only
     * @description A JPEG of at most 320 x 320 pixels, or 640 x 640 with `size=640`. Of a file that is turned, its EXIF orientation says how to show it. It is a placeholder if the file can't be decoded. While the server has many to make, it sends the smaller one instead of the larger, as `no-store`.
     */
    head: operations['headFileThumbnail']
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the preview of a file
     * @description A JPEG of at most 1920 x 1920 pixels, turned as the thumbnail is; a placeholder if the file can't be decoded.
     */
    get: operations['getFilePreview']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the preview of a file: headers only
     * @description A JPEG of at most 1920 x 1920 pixels, turned as the thumbnail is; a placeholder if the file can't be decoded.
     */
    head: operations['headFilePreview']
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the tags of a file
     * @description For callers who may view the file. Lists those of its tags that they may view, including tags that followed by rules.
     */
    get: operations['listFileTags']
    /**
     * Replace all tags of a file
     * @description Tags that follow from these by rules are also added. Tags that the caller may not view stay on the file. A file may have at most 1,000 tags, including hidden ones. More get 409.
     */
    put: operations['replaceFileTags']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/tags/{tag_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Add a tag to a file
     * @description Tags that follow from it by rules are also added, even when the file already has the tag. A file may have at most 1,000 tags, including hidden ones. More get 409.
     */
    put: operations['addFileTag']
    post?: never
    /**
     * Remove a tag from a file
     * @description If the file does not have the tag, nothing changes. Tags that followed from it stay.
     */
    delete: operations['removeFileTag']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/{tag_id}/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the files of a tag, newest first
     * @description For callers who may view the tag. Lists those of its files that they may view and that are not in the trash.
     */
    get: operations['listTagFiles']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/counts': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Count the files of each tag
     * @description Only files and tags that the caller may view are counted.
     */
    get: operations['countTags']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the rules of all tags
     * @description Lists the rules whose two tags the caller may view, by the names of the tags that others follow from, and only the first 5,000.
     */
    get: operations['listAllTagRules']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/{tag_id}/rules': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the rules of a tag
     * @description For callers who may view the tag. Rules whose other tag they may not view are left out.
     */
    get: operations['listTagRules']
    put?: never
    /**
     * Create a rule
     * @description When the tag is added to a file, the other tag is also added, and so are the tags that follow from that one. Rules may form circles. At most 200 tags may follow from one: a rule that would exceed this gets 409, unless it is switched off. With `apply_to_existing`, the answer comes when all files have the tags; other requests go on meanwhile. Deleting the rule or switching it off ends that with 409. A file that would have more than 1,000 tags is left out.
     */
    post: operations['createTagRule']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/{tag_id}/rules/{then_tag_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a rule
     * @description Files keep the tags that followed by the rule.
     */
    delete: operations['deleteTagRule']
    options?: never
    head?: never
    /**
     * Switch a rule on or off
     * @description Files that already have the tag get the tags that follow only if `apply_to_existing` is true. If more than 200 tags would follow from one, the rule can not be switched on and the answer is 409.
     */
    patch: operations['updateTagRule']
    trace?: never
  }
  '/api/v1/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List tags
     * @description Those that the caller may view. When they are sorted by colour or category, tags without one come last.
     */
    get: operations['listTags']
    put?: never
    /**
     * Create a tag
     * @description For users who may create. A user who is not an admin may create at most 10,000 tags. Any more get 409.
     */
    post: operations['createTag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags/{tag_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a tag
     * @description For callers who may view it.
     */
    get: operations['getTag']
    put?: never
    post?: never
    /**
     * Delete a tag
     * @description It disappears at once, with its rules. The answer comes when it has been removed from all files; other requests go on meanwhile. A tag that is being merged with another one is not deleted, and the answer is 409.
     */
    delete: operations['deleteTag']
    options?: never
    head?: never
    /**
     * Change a tag
     * @description For callers who may edit it. Absent fields stay as they are; `null` clears a field that may be null. A name that another tag has gets 409.
     */
    patch: operations['updateTag']
    trace?: never
  }
  '/api/v1/tags/{tag_id}/merge': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Merge a tag into another one
     * @description For callers who may edit both. All files that carry the tag lose it and get the other one, with the tags that follow from that, no matter who owns them. It counts as put on by hand if one of the two was. The other tag keeps its fields and rights and takes over the rules of the tag, on either side, except those between the two. A rule that both have is active if one of them was. Then the tag is deleted. If more than 200 tags would follow from one, nothing is changed and the answer is 409. A file that has no room for what follows from the other tag gets only that tag. The answer comes when all files are done; other requests go on meanwhile. Until then, putting the old tag on a file puts the other one on, and neither can be deleted or merged (409).
     */
    post: operations['mergeTag']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/categories/{category_id}/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the tags of a category
     * @description For callers who may view the category. Lists those of its tags that they may view.
     */
    get: operations['listCategoryTags']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/categories': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List categories
     * @description Those that the caller may view.
     */
    get: operations['listCategories']
    put?: never
    /**
     * Create a category
     * @description For users who may create. A user who is not an admin may create at most 1,000 categories. Any more get 409, and so does a name that another category has.
     */
    post: operations['createCategory']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/categories/{category_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a category
     * @description For callers who may view it.
     */
    get: operations['getCategory']
    put?: never
    post?: never
    /**
     * Delete a category; its tags stay
     * @description For callers who may edit it. Its tags stay, without a category.
     */
    delete: operations['deleteCategory']
    options?: never
    head?: never
    /**
     * Change a category
     * @description For callers who may edit it. Absent fields stay as they are; `null` clears a field that may be null. A name that another category has gets 409.
     */
    patch: operations['updateCategory']
    trace?: never
  }
  '/api/v1/pools': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List pools
     * @description Those that the caller may view.
     */
    get: operations['listPools']
    put?: never
    /**
     * Create a pool
     * @description For users who may create. A user who is not an admin may create at most 10,000 pools. Any more get 409. The files are in the order that people give them until `sort_key` is changed. With a `filter`, they are sorted by `content_datetime`, newest first.
     */
    post: operations['createPool']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/pools/{pool_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a pool
     * @description For callers who may view it.
     */
    get: operations['getPool']
    put?: never
    post?: never
    /**
     * Delete a pool; its files stay
     * @description It disappears at once. The answer comes when all files have been removed from it; other requests go on meanwhile.
     */
    delete: operations['deletePool']
    options?: never
    head?: never
    /**
     * Change a pool and how it is sorted
     * @description A `sort_key` other than `manual` sorts the files by that field. The manual order is saved for later. Only an empty pool that no filter names may get a `filter`, and one with a filter can neither be `manual` nor have `shares_files`: 409. A `filter` for a pool in manual order sorts it as a new one with a `filter`, unless `sort_key` says otherwise. When `shares_files` changes, the answer comes after the change reached all files; other requests are served in the meantime.
     */
    patch: operations['updatePool']
    trace?: never
  }
  '/api/v1/pools/{pool_id}/views': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Record that the caller viewed a pool
     * @description For callers who may view it. Views of one day count once, with the time of the last.
     */
    post: operations['recordPoolView']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/pools/{pool_id}/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the files of a pool in its active sort
     * @description Lists the files that the caller may view and that are not in the trash.
     */
    get: operations['listPoolFiles']
    put?: never
    /**
     * Add files to a pool
     * @description For callers who may edit the pool and view the files. A file that is already in the pool stays where it is. If the pool has `shares_files`, the added files that the caller created (all of them, if the caller is an admin) are shared with the people on its access list. A pool that fills itself gets 409.
     */
    post: operations['addPoolFiles']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/pools/{pool_id}/files/remove': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Remove files from a pool
     * @description Files that are not in the pool or that the caller may not view are skipped. A pool that fills itself gets 409.
     */
    post: operations['removePoolFiles']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/pools/{pool_id}/files/reorder': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    /**
     * Arrange the files of a pool by hand
     * @description If the pool is sorted automatically, the answer is 400.
     */
    put: operations['reorderPoolFiles']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/shares/reach': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Tell what a link would show
     * @description Counts the files that a link made now would show: of those in the pool, or of the named ones, the files that the caller created (of an admin’s all), without those in the trash.
     */
    post: operations['readShareReach']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/shares': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List links for people without an account
     * @description Those of the caller, for an admin those of all users, the newest first.
     */
    get: operations['listShares']
    put?: never
    /**
     * Make a link for people without an account
     * @description Everybody who has the link sees the files of its maker (of an admin: all) that are not in the trash: the named ones; or those of the pool that were there when it was made and still are, and with `follows` also those that come into it later, whoever adds them. That is looked up at each request. It works until it ends or its maker is blocked. A pool that fills itself gets 409, and so do more than 10,000 files without `follows`, and more than 1,000 links of a user that have not ended.
     */
    post: operations['createShare']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/shares/{share_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * End a link
     * @description One’s own; admins may end any.
     */
    delete: operations['endShare']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/acl/{object_type}/{object_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List who may view and edit an object
     * @description For its creator and admins only.
     */
    get: operations['listPermissions']
    /**
     * Replace the list of who may view and edit an object
     * @description For its creator and admins only. An entry with `can_edit` is also stored with `can_view`. If a pool has `shares_files`, new people on its list can view the files that are already shared through it and the files of the caller (all files, if the caller is an admin). People who are taken off the list can no longer view them. The list of a file does not show who can view it through a pool.
     */
    put: operations['replacePermissions']
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Read the audit log, newest first
     * @description For admins only.
     */
    get: operations['listAuditLog']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/operations/{operation}/undo': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Undo what a request, an import or a rule did
     * @description For the user who did it, for a day, and for admins. Everything that is still as the operation left it is undone, object by object, as far as the caller may edit it: tags, rules, fields, trash, review, the files of pools and their order, merges, and deletions of tags, categories and pools. What was created is deleted if nothing has been added to it since, and uploads go to the trash. Accounts, rights, dismissals, replaced contents and what was deleted for good stay as they are. The undo is an operation of its own and can be undone. Only the undo of a merge of files can not: merge the files again, as they are by then. The answer comes when everything is undone; other requests go on meanwhile. The answer is 409 if the operation was already undone, is not over yet, or took back a merge of files.
     */
    post: operations['undoOperation']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/files/{file_id}/history': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what was done to a file, newest first
     * @description For callers who may view the file. Tags, pools and other files that they may not view are left out. Only callers who may edit the file see former values, and only its creator and admins see changes of its access list.
     */
    get: operations['listFileHistory']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the status of the server
     * @description For admins only.
     */
    get: operations['getStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    AclUpdate: {
      /** @description All entries that the object has from now on; at most one for each user */
      permissions: {
        /**
         * Format: int64
         * @description Id of the user
         */
        user_id: number
        /**
         * @description Whether the user may view the object
         * @default true
         */
        can_view?: boolean
        /**
         * @description Whether the user may edit the object, which includes viewing it
         * @default false
         */
        can_edit?: boolean
      }[]
    }
    AppliedTags: {
      /** @description Ids of the named tags and, for `add`, of those that followed by rules */
      applied_tag_ids: string[]
    }
    Archive: {
      /** @description Send it as `access_token` in the query, once and within ten minutes */
      token: string
      /** @description How many files it will hold */
      files: number
      /**
       * Format: int64
       * @description The total size of their contents
       */
      bytes: number
    }
    ArchiveAsked: {
      /** @description Ids of at most 25000 files; a repeated one counts once */
      file_ids?: string[]
      /**
       * Format: uuid
       * @description Id of a pool, instead of `file_ids`: its files
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      pool_id?: string
      /**
       * @description Instead of `file_ids` and `pool_id`: the filter of a list of files, whose other parts are `search`, `from` and `to`. When it is empty, all files
       * @example {t=018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f,&,!,m~video/%}
       * @example {r=1}
       */
      filter?: string
      /**
       * @description Part of the name, in upper or lower case
       * @example beach
       */
      search?: string
      /**
       * Format: date-time
       * @description The instant from which to take files, by `content_datetime`
       * @example 2024-05-06T07:08:09.000Z
       */
      from?: string
      /**
       * Format: date-time
       * @description The instant before which to take files, by `content_datetime`
       * @example 2024-05-06T07:08:09.000Z
       */
      to?: string
    }
    AuditLogEntry: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /**
       * Format: int64
       * @description Id of the user
       */
      user_id: number
      /** @description Name of the user at that time */
      user_name: string
      /**
       * @description What was done: one of user_login, user_login_failed, user_logout, session_terminate, token_reuse, key_create, key_end, user_create, user_edit, user_password_reset, user_role_change, user_block, user_unblock, user_delete, file_create, file_edit, file_replace, file_delete, file_restore, file_permanent_delete, file_review, file_tag_add, file_tag_remove, file_tag_replace, file_merge, tag_create, tag_edit, tag_delete, tag_merge, tag_rule_create, tag_rule_edit, tag_rule_delete, category_create, category_edit, category_delete, pool_create, pool_edit, pool_delete, file_pool_add, file_pool_remove, file_pool_reorder, acl_change, duplicate_dismiss, duplicate_rescan, archive_download, share_create, share_end, share_use, content_damaged, operation_undo
       * @example file_create
       */
      action: string
      /** @description What kind of object it was done to; null if there is none */
      object_type: string | null
      /** @description Id of the object it was done to; null if there is none */
      object_id: string | null
      /** @description What changed, without any secrets. Beyond 8 KiB it holds only a part, and `shortened` is true */
      details: {
        [key: string]: unknown
      } | null
      /**
       * Format: date-time
       * @description When it was done
       * @example 2024-05-06T07:08:09.000Z
       */
      performed_at: string
      /** @description The number of the operation that it belongs to. Each user has numbers of their own. Null for entries of versions that had no operations */
      operation: number | null
    }
    AuditLogOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['AuditLogEntry'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    BulkFavourite: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
      /** @description Whether it is a favourite of the caller */
      is_favourite: boolean
    }
    BulkFiles: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
    }
    /** @description What happened to the files */
    BulkResult: {
      /** @description How many files changed; files that were already that way are not counted */
      changed: number
      /** @description How many of the files were left out, because they do not exist or it is not allowed */
      skipped: number
      /** @description The ids of the first 1,000 of these, in the order given */
      skipped_ids: string[]
    }
    BulkReview: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
      /** @description Whether somebody still has to look at its tags */
      needs_review: boolean
    }
    BulkShare: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids?: string[]
      /**
       * Format: uuid
       * @description Id of a pool, instead of `file_ids`: its files that the caller may view
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      pool_id?: string
      /**
       * @description Who may view the files from now on
       * @default []
       */
      add?: {
        /**
         * Format: int64
         * @description Id of the user
         */
        user_id: number
        /**
         * @description Whether the user may also edit the files; rights that they already have stay
         * @default false
         */
        can_edit?: boolean
      }[]
      /**
       * @description Users whose entries are removed before others are added: a user in both lists has exactly what `add` says
       * @default []
       */
      remove?: number[]
      /** @description Whether everyone who is signed in may view it */
      is_public?: boolean
    }
    BulkTags: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
      /**
       * @description Whether to add the tags to the files or to remove them
       * @enum {string}
       */
      action: 'add' | 'remove'
      /** @description Ids of at most 1000 tags; a repeated one counts once */
      tag_ids: string[]
    }
    BulkUpdate: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
      /**
       * @description The fields that all files get; absent ones stay as they are
       * @default {}
       */
      set?: {
        /**
         * Format: date-time
         * @description When it was taken. With `Z`, the file keeps its `content_offset`; with an offset, it gets that one
         * @example 2024-05-06T07:08:09.000Z
         */
        content_datetime?: string
        /** @description How much is known of `content_datetime`, without which it is not allowed. The file gets the middle of the day, month or year in which that is, by its clock. Null, or absent beside another `content_datetime` than that of the file: it is a moment */
        date_precision?: ('day' | 'month' | 'year') | null
        /** @description Whether everyone who is signed in may view it */
        is_public?: boolean
        notes?: string | null
      }
      /**
       * Format: int64
       * @description By how much to move the date of each file; not allowed together with a date. A day alone stays so, and moves by whole days; otherwise the file is skipped, as is one of which only the month or the year is known
       */
      shift_minutes?: number
      /**
       * @description By how many degrees to turn each file clockwise, from how it is turned now
       * @enum {number}
       */
      turn?: 90 | 180 | 270
    }
    /** @description A group of tags of one kind */
    Category: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /**
       * @description Unique among all categories
       * @example Places
       */
      name: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    CategoryCreate: {
      /**
       * @description Unique among all categories; spaces around it are trimmed
       * @example Places
       */
      name: string
      notes?: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /**
       * @description Whether everyone who is signed in may view it
       * @default false
       */
      is_public?: boolean
    }
    CategoryOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Category'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    CategoryUpdate: {
      /**
       * @description Unique among all categories; spaces around it are trimmed
       * @example Places
       */
      name?: string
      notes?: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @description Whether everyone who is signed in may view it */
      is_public?: boolean
    }
    /** @description A page of files in columns: the nth entry of each column is of the nth file */
    CellPage: {
      /** @description The ids of the files, in the order of the list */
      ids: string[]
      /** @description Seconds since 1970 on the clock of the place where it was taken: `content_datetime` plus its offset; of a month or a year known alone, its last second. When sorted by `created`, those of `created_at` in UTC */
      t: number[]
      /** @description Width ÷ height × 100 as displayed; 0 when unknown */
      r: number[]
      /** @description A letter for each file: `j` for a picture, `v` for a video */
      k: string
      /** @description Its ThumbHash as base64; null when there is none */
      h?: (string | null)[]
      /** @description The `t` of the first file of its series: pictures of one camera that follow one another within two seconds. Null outside a series, and in other sorts than `content_datetime` */
      s?: (number | null)[]
      /** @description The town that is nearest to its position, as an index in `places`; null when there is none */
      p?: (number | null)[]
      /** @description The different towns of `p` */
      places?: components['schemas']['Place'][]
      /** @description With `pairs=1`, for each file the id of its film that the caller may view and that is in the trash or not as the list asks; null when there is none */
      c?: (string | null)[]
      /** @description A sum of 1: needs review; 2: others may view it, as far as the caller may know; 4: the caller may edit it; 8: its thumbnail is a placeholder; 16: the caller created it; 32: it is a favourite of the caller; 64, 128 or 192: only the day, the month or the year of `t` is known, unless sorted by `created` */
      f: number[]
      /** @description Duration in seconds; null when unknown */
      d: (number | null)[]
      /** @description The version of its pictures */
      v: string[]
      /** @description The `cursor` of the next page; null when there is none */
      next_cursor: string | null
      /** @description The `cursor` of the previous page; send it with `direction=backward`. Null when there is none */
      prev_cursor: string | null
    }
    CommonTags: {
      /** @description Ids of the tags that all of the files have */
      common_tag_ids: string[]
      /** @description Ids of the tags that some of the files have, but not all */
      partial_tag_ids: string[]
    }
    ContentToken: {
      /** @description Send it as `access_token` in the query for the content of this one file */
      token: string
      /** @description Seconds until the token expires */
      expires_in: number
    }
    /** @description Files that are joined by pairs that look alike */
    DuplicateCluster: {
      /** @description Two or more files that look alike */
      files: components['schemas']['File'][]
      /** @description One for each pair that the last rescan found. Files that are joined only through others have none. Where more than 50 files look the same, there are only enough pairs to join them */
      distances: components['schemas']['DuplicatePairDistance'][]
    }
    /** @description Which files are joined by pairs */
    DuplicateClusterIds: {
      /** @description The ids of the files; if there are more than 50, at most that many, joined by pairs */
      ids: string[]
      /** @description The pairs of the cluster between these files */
      distances: components['schemas']['DuplicatePairDistance'][]
      /** @description How many files the cluster has */
      file_count: number
    }
    DuplicateClusterPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['DuplicateCluster'][]
      /** @description How many clusters there are on all pages together */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    DuplicateDismiss: {
      /**
       * Format: uuid
       * @description Id of one file
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      file_id_a: string
      /**
       * Format: uuid
       * @description Id of the other file; the order does not matter
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      file_id_b: string
    }
    DuplicateIdPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['DuplicateClusterIds'][]
      /** @description How many clusters there are on all pages together */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    DuplicatePairDistance: {
      /**
       * Format: uuid
       * @description Id of one file
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      a: string
      /**
       * Format: uuid
       * @description Id of the other file
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      b: string
      /** @description How many bits of the perceptual hashes differ */
      distance: number
    }
    DuplicateProposal: {
      /**
       * @description `identical`: the contents are equal, and the file with the most tags is kept, or else the oldest. `smaller`: the discarded pictures show the same with fewer pixels
       * @enum {string}
       */
      why: 'identical' | 'smaller'
      /**
       * Format: uuid
       * @description Id of the file that is kept
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      keep: string
      /** @description Ids of the files that are merged into it and go to the trash */
      discard: string[]
      /** @description What the kept file will get from the others */
      gains: {
        /** @description The tags that the kept file will gain, by name, as far as the caller may view them; the first 1000 */
        tags: {
          /**
           * Format: uuid
           * @description Id of the tag
           * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
           */
          id: string
          /** @description Name of the tag */
          name: string
        }[]
        /** @description The pools that the kept file will gain, by name, as far as the caller may view them; the first 1000 */
        pools: {
          /**
           * Format: uuid
           * @description Id of the pool
           * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
           */
          id: string
          /** @description Name of the pool */
          name: string
        }[]
        /** @description The notes that it will get; null when it has some, or when none of the others has any */
        notes: string | null
        /** @description The time that it will get; null when it keeps its own */
        date: {
          /**
           * Format: date-time
           * @description When it was taken: the given time, or else the time from its content, from its name (for an upload), of the last change of its source, or of its arrival. A clock without a zone is in TIME_ZONE
           * @example 2024-05-06T07:08:09.000Z
           */
          content_datetime: string
          /**
           * @description How many minutes the clock of `content_datetime` was ahead of UTC; their sum is the local time. Null when no zone is known; `content_datetime` is then the local time
           * @example 120
           */
          content_offset: number | null
          /** @description Where `content_datetime` comes from: a person (`given`), the content (`exif`, `xmp`, `gps`, `video`), its name (`name`), the last change of its source (`mtime`), or its arrival (`upload`). Null for files from before this was recorded */
          date_source:
            | ('given' | 'exif' | 'xmp' | 'gps' | 'video' | 'name' | 'mtime' | 'upload')
            | null
          /** @description How much is known of the date; null for a moment. `content_datetime` is then the middle of what is known, by its clock: noon of a `day`, noon of the 15th of a `month`, noon of the 2nd of July of a `year` */
          date_precision: ('day' | 'month' | 'year') | null
        } | null
      }
    }
    DuplicateProposalPage: {
      /** @description The items on this page, those with equal contents first. A page ends before it passes 8 MiB, so it may have fewer items than requested. The next page then begins after as many items as it has */
      items: components['schemas']['DuplicateProposal'][]
      /** @description How many items the list has on all pages */
      total: number
    }
    DuplicateResolve: {
      /**
       * Format: uuid
       * @description Id of the file that is kept, the survivor
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      keep: string
      /**
       * Format: uuid
       * @description Id of the other file
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      discard: string
      /**
       * @description Whether the other file is moved to the trash
       * @default true
       */
      delete_discarded?: boolean
      /**
       * @description Which of the two files each field of the survivor comes from; `keep` by default
       * @default {}
       */
      fields?: {
        /**
         * @description Which file the name is taken from
         * @default keep
         * @enum {string}
         */
        original_name?: 'keep' | 'discard'
        /**
         * @description Which file the notes are taken from
         * @default keep
         * @enum {string}
         */
        notes?: 'keep' | 'discard'
        /**
         * @description Which file the time is taken from
         * @default keep
         * @enum {string}
         */
        content_datetime?: 'keep' | 'discard'
        /**
         * @description Which file the visibility is taken from
         * @default keep
         * @enum {string}
         */
        is_public?: 'keep' | 'discard'
        /**
         * @description Which file the metadata is taken from; `merge` takes the keys of both files, and the survivor's value for a key that both have
         * @default keep
         * @enum {string}
         */
        metadata?: 'keep' | 'discard' | 'merge'
        /**
         * @description Whether the survivor also gets the tags of the other file
         * @default keep
         * @enum {string}
         */
        tags?: 'keep' | 'both'
        /**
         * @description Whether the survivor is added to the pools of the other file, right after it
         * @default keep
         * @enum {string}
         */
        pools?: 'keep' | 'both'
      }
    }
    Empty: Record<string, never>
    Error: {
      /**
       * @description What kind of error it is, for programs
       * @enum {string}
       */
      code:
        | 'validation_error'
        | 'unauthorized'
        | 'forbidden'
        | 'not_found'
        | 'method_not_allowed'
        | 'timeout'
        | 'conflict'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_mime'
        | 'range_not_satisfiable'
        | 'rate_limited'
        | 'internal_error'
        | 'busy'
        | 'insufficient_storage'
      /** @description What went wrong, for people */
      message: string
      /** @description What is wrong, field by field */
      details?: {
        /** @description Name of the field in the path, the query or the body, with dots between its parts */
        field: string
        /** @description What is wrong with it */
        message: string
      }[]
    }
    /** @description How many files of a list have each value of a facet */
    Facets: {
      /** @description Those that any file has, most files first; a file may have several, such as two sizes that it is larger than */
      items: {
        /**
         * @description The token of the filter language that finds these files
         * @example b>5000000
         */
        token: string
        /**
         * @description What the files have in common
         * @example > 5 MB
         */
        name: string
        /** @description How many files there are that the caller sees */
        count: number
      }[]
    }
    /** @description A picture or video with what is known about it */
    File: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description The name that the file came with */
      original_name: string | null
      /**
       * @description Its type, determined from its content
       * @example image/jpeg
       */
      mime_type: string
      /**
       * @description The file name extension of its type, without a dot
       * @example jpg
       */
      mime_extension: string
      /**
       * Format: date-time
       * @description When it was taken: the given time, or else the time from its content, from its name (for an upload), of the last change of its source, or of its arrival. A clock without a zone is in TIME_ZONE
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime: string
      /**
       * @description How many minutes the clock of `content_datetime` was ahead of UTC; their sum is the local time. Null when no zone is known; `content_datetime` is then the local time
       * @example 120
       */
      content_offset: number | null
      /** @description Where `content_datetime` comes from: a person (`given`), the content (`exif`, `xmp`, `gps`, `video`), its name (`name`), the last change of its source (`mtime`), or its arrival (`upload`). Null for files from before this was recorded */
      date_source: ('given' | 'exif' | 'xmp' | 'gps' | 'video' | 'name' | 'mtime' | 'upload') | null
      /** @description How much is known of the date; null for a moment. `content_datetime` is then the middle of what is known, by its clock: noon of a `day`, noon of the 15th of a `month`, noon of the 2nd of July of a `year` */
      date_precision: ('day' | 'month' | 'year') | null
      /**
       * Format: int64
       * @description How many bytes its content has
       */
      size: number
      /** @description Its width in pixels as it is displayed, turned and with square pixels. Null when that is not known (yet), as for a picture that could not be decoded; then assume 4:3 */
      width: number | null
      /** @description Its height in pixels, like `width` */
      height: number | null
      /** @description The length of a video in seconds; null for a picture, and when it is not known */
      duration: number | null
      /**
       * @description A picture of about 25 bytes (ThumbHash) in base64, to show until the thumbnail is there; null when there is none (yet)
       * @example kQgGDYIIapeRhpdhe2aah7b3Kgts
       */
      thumbhash: string | null
      /** @description Whether its picture seems damaged: a part of it is missing or broken, or it could not be decoded at all. False for a video, until it is decoded, and for a file that an earlier version has decoded */
      is_damaged: boolean
      /**
       * @description By how many degrees its content is turned clockwise. Its size, hashes, thumbnail and preview are those of what is then shown; the content itself stays as it is, and content that replaces it starts at 0
       * @enum {number}
       */
      rotation: 0 | 90 | 180 | 270
      /**
       * @description Changes when what its thumbnail and its preview show changes
       * @example Zm9vYmFy
       */
      version: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /** @description What the content says about itself: for a picture, its EXIF, by the names of that standard, its `latitude` and `longitude` in degrees, its `Keywords` and, where EXIF has none, its `ImageDescription` from IPTC or XMP; for a video, facts such as its `duration` in seconds, and `Make`, `Model`, `latitude` and `longitude`; empty when there is nothing */
      exif: {
        [key: string]: unknown
      }
      /** @description The town that is nearest to its position, within 50 km; null when there is none */
      place: components['schemas']['Place'] | null
      /** @description Perceptual hash: a signed 64-bit integer, which would be rounded as a double. Null when the content could not be decoded, or has not been yet: after an upload, a picture that takes longer than ten seconds gets its hash later, as does one that was turned */
      phash: number | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /** @description Whether it is in the trash */
      is_deleted: boolean
      /** @description When it was moved to the trash; null when it is not there */
      trashed_at: string | null
      /** @description When it leaves the trash for good; null when it is not in the trash, or when nothing leaves it automatically */
      leaves_trash_at: string | null
      /** @description Whether somebody still has to look at its tags */
      needs_review: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description Of the film of a living picture, the id of the picture; null where the caller may not view the picture, and for any other file */
      companion_of: string | null
      /** @description Whether it is a favourite of the caller */
      is_favourite: boolean
      /** @description Its tags, as far as the caller may view them */
      tags: components['schemas']['FileTag'][]
    }
    /** @description What has changed of what the caller sees */
    FileChanges: {
      /** @description The `since` of the next request; it tells nothing else */
      next: string
      /** @description The files that have changed, come or gone since; `many` when there are more, or when a tag, a category, a pool or the rights of the caller have changed: read everything anew */
      files: string[] | 'many'
    }
    FileCursorPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['File'][]
      /** @description The `cursor` of the next page; null when there is none. A page ends before it passes 8 MiB, so it may have fewer items than requested */
      next_cursor: string | null
      /** @description The `cursor` of the previous page; send it with `direction=backward`. Null when there is none */
      prev_cursor: string | null
    }
    FileHistoryPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['HistoryEntry'][]
      /** @description The pools through which people see the file now, the oldest first, at most 20, on every page; for callers who neither created it nor are admins only those through which they see it themselves */
      through: components['schemas']['SharedThrough'][]
      /** @description Where to go on; null at the end. A page may have fewer entries than requested, and the last may have none */
      next_cursor: string | null
    }
    /** @description Which files a list holds */
    FileIdPage: {
      /** @description The ids of the files, in the order of the list */
      ids: string[]
      /** @description With `pairs=1`, for each file the id of its film that the caller may view and that is in the trash or not as the list asks; null when there is none */
      films?: (string | null)[]
      /** @description The `cursor` of the next page; null when there is none */
      next_cursor: string | null
      /** @description How many files there are that the caller sees */
      total: number
    }
    /** @description Where files were taken, in columns: the nth entry of each is of the nth cell */
    FileMap: {
      /** @description How many of the files were taken there */
      total: number
      /** @description How many characters the cells have: as many as requested, or fewer where the files are in more than 2,000 of those */
      length: number
      /** @description The geohashes of cells that have files */
      cells: string[]
      /** @description How many files each has */
      counts: number[]
      /** @description Of each cell, the file that was added last */
      ids: string[]
      /** @description The version of the pictures of that file */
      v: string[]
      /** @description The town that is nearest to where that file was taken, with its country and region, such as `FR.93.Nice`; null when there is none within 50 km */
      towns: (string | null)[]
    }
    /** @description A tag that is on a file */
    FileTag: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /**
       * @description Unique among all tags
       * @example beach
       */
      name: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color: string | null
      /** @description Id of the category of the tag; null for none */
      category_id: string | null
      /** @description Name of its category; null when there is none or the caller may not view it */
      category_name: string | null
      /** @description Colour of its category; null when there is none or the caller may not view it */
      category_color: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description Whether it is on the file only because it follows from another tag by a rule */
      by_rule: boolean
    }
    FileTags: {
      /** @description Ids of at most 1000 tags; a repeated one counts once */
      tag_ids: string[]
    }
    FileUpdate: {
      /** @description The name that the file came with */
      original_name?: string | null
      /**
       * Format: date-time
       * @description When it was taken. With `Z`, the file keeps its `content_offset`; with an offset, it gets that one
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime?: string
      /** @description How much is known of `content_datetime`, without which it is not allowed. The file gets the middle of the day, month or year in which that is, by its clock. Null, or absent beside another `content_datetime` than that of the file: it is a moment */
      date_precision?: ('day' | 'month' | 'year') | null
      /**
       * @description By how many degrees its content is turned clockwise. Its size, hashes, thumbnail and preview are those of what is then shown; the content itself stays as it is, and content that replaces it starts at 0
       * @enum {number}
       */
      rotation?: 0 | 90 | 180 | 270
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @description Whether everyone who is signed in may view it */
      is_public?: boolean
      /** @description The id of the picture that this video was taken with, which makes a living picture of both: the caller must be allowed to edit both, they must have one creator, and the picture may have no other film. Null takes the two apart; it changes nothing for a caller who may not view the picture */
      companion_of?: string | null
    }
    GeneratedPassword: {
      /** @description The new password, which is shown only once */
      password: string
    }
    Health: {
      /** @description Always `ok` */
      status: string
    }
    /** @description Something that was done to a file */
    HistoryEntry: {
      /**
       * Format: int64
       * @description Number of the entry in the history of the file; the audit log has another number for it
       */
      id: number
      /** @description What was done, as the audit log names it */
      action: string
      /**
       * Format: int64
       * @description Id of the user
       */
      user_id: number
      /** @description Name of the user at that time */
      user_name: string
      /** @description What changed, as far as the caller may view it. Callers who may not edit the file get `fields` instead of `changes`. Beyond 8 KiB it holds only a part, and `shortened` is true */
      details: {
        [key: string]: unknown
      }
      /**
       * Format: date-time
       * @description When it was done
       * @example 2024-05-06T07:08:09.000Z
       */
      performed_at: string
      /** @description Number of the operation; null for entries of versions that had no operations */
      operation: number | null
    }
    ImportCount: {
      /** @description How many photos and videos are there, by the ends of their names; a file without one counts. Hidden, empty and unfinished files are left out */
      files: number
      /** @description How many of them have been imported before and are still in the library, going by where they are and what they are called */
      imported: number
      /** @description How many folders hold the others */
      folders: number
      /** @description Whether the folder is an exported library, of which all is counted */
      is_library: boolean
      /** @description Whether all were counted; false when that would have taken too long */
      is_whole: boolean
    }
    /** @description One line of an import: first `start`, then a `file` for each entry, and finally `done`. An import that cannot go on ends with `error` */
    ImportEvent: {
      /**
       * @description What kind of event this is
       * @enum {string}
       */
      type: 'start' | 'file' | 'done' | 'error'
      /** @description In `start`, how many entries are to come; in `done`, how many came */
      total?: number
      /**
       * @description In `start`, that nothing is imported and the events report what would be
       * @constant
       */
      dry_run?: true
      /** @description In `start`, how many have changed so recently (IMPORT_SETTLE) that they come last, after a wait */
      young?: number
      /** @description In `file`, the number of the entry, from 1 */
      index?: number
      /** @description In `file`, the name of the entry; in a folder below the one that is imported, its path from there, with slashes */
      filename?: string
      /**
       * @description In `file`, what happened to the entry
       * @enum {string}
       */
      status?: 'imported' | 'skipped' | 'error'
      /** @description In `file` and `error`, the reason or a warning; in `done`, who or what stopped it early */
      reason?: string
      /** @description In `file` of a dry run, the type of what would be imported */
      mime_type?: string
      /** @description In `done`, how many were imported */
      imported?: number
      /** @description In `done`, how many were skipped */
      skipped?: number
      /** @description In `done`, how many failed */
      errors?: number
      /**
       * Format: int64
       * @description In `done`, the number of the operation, if anything was imported or got new tags
       */
      operation?: number
      /** @description In `done` of a dry run, the bytes of all that would be imported */
      bytes?: number
      /** @description In `done` of a dry run, how many have a content that is already in the library, or that another one of them has */
      here?: number
      /** @description In `done` of a dry run, how many bytes the library's disk has room for, or the disk of its contents if that is another one and has less; null when the file system doesn't report it. A file needs less if its source is on the same disk or is removed from it */
      room?: number | null
      /** @description In `done` of a dry run, what would be imported, the most frequent first */
      types?: {
        /** @description A type */
        mime_type: string
        /** @description How many files of it would be imported */
        files: number
      }[]
      /** @description In `done` of a dry run with `keyword_tags`, the tags that files would get: new ones first, then those of most files; at most 10,000 */
      tags?: {
        /** @description Levels of a path of keywords from the top one; `leave_out` leaves it out */
        path: string[]
        /** @description Name of the tag. It differs from the last level if that stands elsewhere, `Paris (Texas)`, or is the name of a tag that the owner may not view, `Oma (kid)` */
        name: string
        /** @description How many files would get it */
        files: number
        /** @description Whether the import would make it */
        is_new: boolean
        /** @description How these files get the tag above it: by a rule, by one that the import would make, or by hand, because the owner may not edit the tag; null when there is none above */
        above: ('rule' | 'new_rule' | 'by_hand') | null
      }[]
      /** @description How many tags are not listed */
      more_tags?: number
      /** @description How many tags the import would make */
      new_tags?: number
      /** @description Paths that make no tag: no tag may be named like one of their levels */
      unfit?: {
        /** @description Levels of a path of keywords from the top one; `leave_out` leaves it out */
        path: string[]
        /** @description How many have it */
        files: number
      }[]
      /** @description How many tags the owner would then have made; null for an admin, who may make any number */
      tags_after?: number | null
      /** @description How many they may make. An import of more is refused before its first file */
      most_tags?: number | null
    }
    ImportFolders: {
      /** @description Path of the folder, relative to the import folder, whose own path is empty. Add a slash and a name for the path of a folder in it */
      path: string
      /** @description The folders in it, by name */
      folders: {
        /** @description Name of the folder */
        name: string
        /** @description How many files are directly in it, without hidden ones; null when there are more than 10,000, when the server can't read it, or when counting took too long */
        files: number | null
      }[]
    }
    ImportRequest: {
      /**
       * @description Whether to import from the folders in it too, except hidden ones and those that storage boxes and systems keep
       * @default false
       */
      recursive?: boolean
      /**
       * @description Whether the files stay in the folder. They are not imported again while their files are in the library
       * @default false
       */
      leave_sources?: boolean
      /**
       * @description Whether a file gets a tag for each folder on the path to it from the imported one. A tag with the name of the folder, in upper or lower case, is used; otherwise one is created
       * @default false
       */
      folder_tags?: boolean
      /**
       * @description Whether a file gets what it, and a sidecar of XMP beside it, say of it: a tag for each keyword and for each level of a path of keywords, for its people, rating and label, and its caption as notes. Sidecars are `name.ext.xmp`, or `name.xmp` if only one picture is called so; they are `skipped`, with the reason `sidecar`, and removed with their picture
       * @default false
       */
      keyword_tags?: boolean
      /**
       * @description Whether the top levels of paths of two or more levels become categories of the tags below instead of tags
       * @default false
       */
      top_categories?: boolean
      /**
       * @description Paths of keywords that make no tags, with all that is below them, from their top levels; as a dry run lists them, so `["People"]` is all people
       * @default []
       */
      leave_out?: string[][]
      /**
       * @description Whether the tags and categories that are created for folders and keywords are public, as with `is_public` of a tag
       * @default false
       */
      public_tags?: boolean
      /**
       * @description Of an export of Google Photos: whether favourites there become favourites of the owner
       * @default false
       */
      favorites?: boolean
      /**
       * @description Of an export of Google Photos: whether what is archived there gets the tag `archived`
       * @default false
       */
      archived?: boolean
      /**
       * @description Of an export of Google Photos: whether the pictures of a partner come as well
       * @default true
       */
      partners?: boolean
      /**
       * @description Whether a date in the name of a file, as phones and messengers write it, comes before the time of its last change when its content has no date
       * @default false
       */
      name_dates?: boolean
      /**
       * @description Whether the users that an exported library names and that do not exist are created, blocked and without a password. Otherwise what they made there belongs to the user whose files these become
       * @default false
       */
      create_users?: boolean
      /**
       * @description Whether nothing is imported or removed. The stream then reports what would be: `imported` is what would be imported
       * @default false
       */
      dry_run?: boolean
      /**
       * @description What happens to a content that is already in the library: `keep` makes another file of it, `skip` skips it, `conflict` makes it an error. With `skip` and `conflict`, it stays in the folder
       * @default keep
       * @enum {string}
       */
      on_duplicate?: 'keep' | 'skip' | 'conflict'
      /** @description A folder in the import folder; by default the import folder itself */
      path?: string
      /**
       * Format: int64
       * @description Id of the user whose files, and whose new tags and categories, these become; by default the caller. Any user who is not blocked
       */
      owner?: number
    }
    /** @description The progress of the running import, or the result of the last one */
    ImportState: {
      /**
       * @description `idle` before the first one; `done` when its last event was `done`, else `failed` once it is over
       * @enum {string}
       */
      state: 'idle' | 'running' | 'done' | 'failed'
      /** @description When it began */
      started_at: string | null
      /** @description Who started it */
      by: components['schemas']['Starter'] | null
      /** @description The last event of its stream */
      progress: components['schemas']['ImportEvent'] | null
      /** @description What it has counted; null as long as it tells no numbers */
      tallies: {
        /** @description How many entries there are */
        total: number
        /** @description How many have been imported */
        imported: number
        /** @description How many have been skipped */
        skipped: number
        /** @description How many have failed */
        errors: number
      } | null
      /** @description The last 200 entries that were not taken, in their order */
      refused: components['schemas']['RefusedEntry'][]
      /** @description How far the server is with what files of earlier versions lack, such as their sizes; null when nothing is left to be done but what the system refused, to which it comes back */
      background: {
        /** @description How many files it has come past */
        looked_at: number
        /** @description How many files there were when it began */
        total: number
      } | null
      /** @description Whether it is a dry run. Its tallies then count what would be done */
      dry_run: boolean
    }
    /** @description Something that was not undone */
    Kept: {
      /** @description What kind of object it is; null if there is none */
      object_type: ('file' | 'tag' | 'category' | 'pool') | null
      /** @description Id of the object; null if there is none, or if the caller may not view it */
      object_id: string | null
      /**
       * @description `changed`: something is no longer as the operation left it; `gone`: the object no longer exists, or a file that was merged into it no longer does, and what came from that file stays; `forbidden`: the caller may not edit it; `conflict`: the state of the library does not allow it, for example because another object has the name now, or because a file would have more than 1,000 tags; `incomplete`: it was too much to record; `not_undoable`: this is never undone
       * @enum {string}
       */
      reason: 'changed' | 'gone' | 'forbidden' | 'conflict' | 'incomplete' | 'not_undoable'
    }
    /** @description A key of an app, which acts for its user within its scope */
    Key: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /**
       * @description What the key is for
       * @example Phone of Ann
       */
      name: string
      /**
       * @description `read` reads, `upload` adds files, `tag` reads, and changes tags of files, pools and notes, and `admin` does what an admin may. Each operation says under `x-key-scope` which scope it needs
       * @enum {string}
       */
      scope: 'read' | 'upload' | 'tag' | 'admin'
      /** @description The pool that new files go into, as long as the user may edit it; for `upload` only */
      pool_id: string | null
      /** @description Whether the folders that a new file is in become its tags; for `upload`, and in the drop box, only */
      folder_tags: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description When it ends by itself; null for never */
      expires_at: string | null
      /** @description When it was last used, to the minute; null before its first use */
      last_use: string | null
    }
    KeyCreate: {
      /**
       * @description What the key is for
       * @example Phone of Ann
       */
      name: string
      /**
       * @description `read` reads, `upload` adds files, `tag` reads, and changes tags of files, pools and notes, and `admin` does what an admin may. Each operation says under `x-key-scope` which scope it needs
       * @enum {string}
       */
      scope: 'read' | 'upload' | 'tag' | 'admin'
      /**
       * @description The pool that new files go into, as long as the user may edit it; for `upload` only
       * @default null
       */
      pool_id?: string | null
      /**
       * @description Whether the folders that a new file is in become its tags; for `upload`, and in the drop box, only
       * @default false
       */
      folder_tags?: boolean
      /**
       * @description When it ends by itself; null for never
       * @default null
       */
      expires_at?: string | null
    }
    KeyList: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Key'][]
    }
    KnownContents: {
      /** @description The contents of files that the caller may view, in the order requested */
      known: {
        /** @description The SHA-256 of the content, in lower case */
        sha256: string
        /** @description Ids of the files that have it, at most 10: the oldest first, and those in the trash last */
        file_ids: string[]
        /** @description Whether all files that have it are in the trash */
        in_trash: boolean
      }[]
    }
    KnownRequest: {
      /** @description The SHA-256 of each content, in hex; a repeated one counts once */
      sha256: string[]
    }
    Login: {
      /** @description Name of the user */
      name: string
      /** @description Password of the user */
      password: string
    }
    NewKey: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /**
       * @description What the key is for
       * @example Phone of Ann
       */
      name: string
      /**
       * @description `read` reads, `upload` adds files, `tag` reads, and changes tags of files, pools and notes, and `admin` does what an admin may. Each operation says under `x-key-scope` which scope it needs
       * @enum {string}
       */
      scope: 'read' | 'upload' | 'tag' | 'admin'
      /** @description The pool that new files go into, as long as the user may edit it; for `upload` only */
      pool_id: string | null
      /** @description Whether the folders that a new file is in become its tags; for `upload`, and in the drop box, only */
      folder_tags: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description When it ends by itself; null for never */
      expires_at: string | null
      /** @description When it was last used, to the minute; null before its first use */
      last_use: string | null
      /** @description The key, which is shown only once. Send it as `Authorization: Bearer …` */
      key: string
      /** @description The address of the server for the app, from PUBLIC_URL; null when that is not set */
      public_url: string | null
    }
    /** @description Files that others have let the caller see */
    News: {
      /** @description How many files are new to the caller */
      files: number
      /** @description Ids of those that came last, at most 12 */
      first: string[]
      /** @description Who created how many of them, at most 12 users */
      from: {
        /**
         * Format: int64
         * @description Id of the user
         */
        id: number
        /** @description Name of the user */
        name: string
        /** @description How many of them the user created */
        files: number
      }[]
      /** @description Through which pools the caller sees how many of them, at most 12 */
      pools: {
        /**
         * Format: uuid
         * @description Id of the pool
         * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
         */
        id: string
        /** @description Its name */
        name: string
        /** @description How many of them it shows */
        files: number
      }[]
      /**
       * Format: date-time
       * @description When that was so
       * @example 2024-05-06T07:08:09.000Z
       */
      until: string
    }
    PasswordReset: {
      /** @description The caller's own password; a wrong one gets 403. A server with CONFIRM_PASSWORD=on requires it, except within ten minutes of signing in */
      current_password?: string
      /** @description Whether the new password also ends the keys of apps of the user */
      end_keys?: boolean
    }
    /** @description What one user may do with an object */
    Permission: {
      /**
       * Format: int64
       * @description Id of the user
       */
      user_id: number
      /** @description Name of the user */
      user_name: string
      /** @description Whether the user may view the object */
      can_view: boolean
      /** @description Whether the user may edit the object, which includes viewing it */
      can_edit: boolean
    }
    /** @description Somebody who may sign in */
    Person: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /** @description Name of the user, which no other user has */
      name: string
    }
    /** @description A town, which `l=FR.93.Nice` in a filter names */
    Place: {
      /**
       * @description Its code by ISO 3166
       * @example FR
       */
      country: string
      /**
       * @description The code that GeoNames has for its region; empty when there is none
       * @example 93
       */
      region: string
      /**
       * @description What GeoNames calls its region
       * @example Provence-Alpes-Côte d'Azur
       */
      region_name: string | null
      /**
       * @description Its name where it is
       * @example Nice
       */
      town: string
    }
    /** @description A collection of files */
    Pool: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /**
       * @description Other pools may have the same name
       * @example Summer 2024
       */
      name: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /**
       * @description `manual` is the order that people gave the files, whatever `sort_order` says; any other key sorts by that field
       * @enum {string}
       */
      sort_key: 'manual' | 'content_datetime' | 'created' | 'original_name'
      /**
       * @description Ascending or descending
       * @enum {string}
       */
      sort_order: 'asc' | 'desc'
      /** @description Whether the people on the access list of the pool may view its files, including files that are added later. It shares only the files of the user who switches this on or adds them; an admin shares all. They may view the files, not edit them. A public pool shares nothing with other users. Only the creator of the pool and admins may change this */
      shares_files: boolean
      /** @description Whether the pool fills itself: it holds the files that match its `filter`, for each caller those that they may view */
      is_smart: boolean
      /** @description The filter of a pool that fills itself, in the filter language. Null for other pools, and for callers who may not edit the pool */
      filter: string | null
      /** @description Whether the caller may edit the pool */
      may_edit: boolean
      /** @description How many files the caller sees in the pool; where it fills itself, counted at most 30 seconds ago */
      file_count: number
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    PoolCreate: {
      /**
       * @description Other pools may have the same name; spaces around it are trimmed
       * @example Summer 2024
       */
      name: string
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /**
       * @description Whether everyone who is signed in may view it
       * @default false
       */
      is_public?: boolean
      /** @description Makes the pool fill itself with the files that match, in the filter language. Each caller sees those that they may view, and what the filter names and they may not view matches nothing. It may not name a pool that fills itself. `null` makes it an empty pool again */
      filter?: string | null
      /**
       * @description Whether the people on the access list of the pool may view its files, including files that are added later. It shares only the files of the user who switches this on or adds them; an admin shares all. They may view the files, not edit them. A public pool shares nothing with other users. Only the creator of the pool and admins may change this
       * @default false
       */
      shares_files?: boolean
    }
    /** @description A file with its position in a pool */
    PoolFile: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description The name that the file came with */
      original_name: string | null
      /**
       * @description Its type, determined from its content
       * @example image/jpeg
       */
      mime_type: string
      /**
       * @description The file name extension of its type, without a dot
       * @example jpg
       */
      mime_extension: string
      /**
       * Format: date-time
       * @description When it was taken: the given time, or else the time from its content, from its name (for an upload), of the last change of its source, or of its arrival. A clock without a zone is in TIME_ZONE
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime: string
      /**
       * @description How many minutes the clock of `content_datetime` was ahead of UTC; their sum is the local time. Null when no zone is known; `content_datetime` is then the local time
       * @example 120
       */
      content_offset: number | null
      /** @description Where `content_datetime` comes from: a person (`given`), the content (`exif`, `xmp`, `gps`, `video`), its name (`name`), the last change of its source (`mtime`), or its arrival (`upload`). Null for files from before this was recorded */
      date_source: ('given' | 'exif' | 'xmp' | 'gps' | 'video' | 'name' | 'mtime' | 'upload') | null
      /** @description How much is known of the date; null for a moment. `content_datetime` is then the middle of what is known, by its clock: noon of a `day`, noon of the 15th of a `month`, noon of the 2nd of July of a `year` */
      date_precision: ('day' | 'month' | 'year') | null
      /**
       * Format: int64
       * @description How many bytes its content has
       */
      size: number
      /** @description Its width in pixels as it is displayed, turned and with square pixels. Null when that is not known (yet), as for a picture that could not be decoded; then assume 4:3 */
      width: number | null
      /** @description Its height in pixels, like `width` */
      height: number | null
      /** @description The length of a video in seconds; null for a picture, and when it is not known */
      duration: number | null
      /**
       * @description A picture of about 25 bytes (ThumbHash) in base64, to show until the thumbnail is there; null when there is none (yet)
       * @example kQgGDYIIapeRhpdhe2aah7b3Kgts
       */
      thumbhash: string | null
      /** @description Whether its picture seems damaged: a part of it is missing or broken, or it could not be decoded at all. False for a video, until it is decoded, and for a file that an earlier version has decoded */
      is_damaged: boolean
      /**
       * @description By how many degrees its content is turned clockwise. Its size, hashes, thumbnail and preview are those of what is then shown; the content itself stays as it is, and content that replaces it starts at 0
       * @enum {number}
       */
      rotation: 0 | 90 | 180 | 270
      /**
       * @description Changes when what its thumbnail and its preview show changes
       * @example Zm9vYmFy
       */
      version: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /** @description What the content says about itself: for a picture, its EXIF, by the names of that standard, its `latitude` and `longitude` in degrees, its `Keywords` and, where EXIF has none, its `ImageDescription` from IPTC or XMP; for a video, facts such as its `duration` in seconds, and `Make`, `Model`, `latitude` and `longitude`; empty when there is nothing */
      exif: {
        [key: string]: unknown
      }
      /** @description The town that is nearest to its position, within 50 km; null when there is none */
      place: components['schemas']['Place'] | null
      /** @description Perceptual hash: a signed 64-bit integer, which would be rounded as a double. Null when the content could not be decoded, or has not been yet: after an upload, a picture that takes longer than ten seconds gets its hash later, as does one that was turned */
      phash: number | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /** @description Whether it is in the trash */
      is_deleted: boolean
      /** @description When it was moved to the trash; null when it is not there */
      trashed_at: string | null
      /** @description When it leaves the trash for good; null when it is not in the trash, or when nothing leaves it automatically */
      leaves_trash_at: string | null
      /** @description Whether somebody still has to look at its tags */
      needs_review: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description Of the film of a living picture, the id of the picture; null where the caller may not view the picture, and for any other file */
      companion_of: string | null
      /** @description Whether it is a favourite of the caller */
      is_favourite: boolean
      /** @description Its tags, as far as the caller may view them */
      tags: components['schemas']['FileTag'][]
      /** @description Its position in the manual order, counted from 0; files that the caller does not see leave gaps. In a pool that fills itself, its place among the files that the caller sees there */
      position: number
    }
    PoolFileCursorPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['PoolFile'][]
      /** @description The `cursor` of the next page; null when there is none. A page ends before it passes 8 MiB, so it may have fewer items than requested */
      next_cursor: string | null
    }
    PoolFilesAdd: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
      /**
       * Format: int64
       * @description The position of the first of them, counted from 0; when absent, they go to the end
       */
      position?: number
    }
    PoolFilesRemove: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids: string[]
    }
    /** @description A pool with its name */
    PoolName: {
      /**
       * Format: uuid
       * @description Id of the pool
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description Its name */
      name: string
    }
    PoolOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Pool'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    PoolReorder: {
      /** @description Ids of files of the pool, each at most once, in their new order; files that are not named follow in their old order */
      file_ids: string[]
    }
    PoolUpdate: {
      /**
       * @description Other pools may have the same name; spaces around it are trimmed
       * @example Summer 2024
       */
      name?: string
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @description Whether everyone who is signed in may view it */
      is_public?: boolean
      /** @description Makes the pool fill itself with the files that match, in the filter language. Each caller sees those that they may view, and what the filter names and they may not view matches nothing. It may not name a pool that fills itself. `null` makes it an empty pool again */
      filter?: string | null
      /**
       * @description `manual` is the order that people gave the files, whatever `sort_order` says; any other key sorts by that field
       * @enum {string}
       */
      sort_key?: 'manual' | 'content_datetime' | 'created' | 'original_name'
      /**
       * @description Ascending or descending
       * @enum {string}
       */
      sort_order?: 'asc' | 'desc'
      /** @description Whether the people on the access list of the pool may view its files, including files that are added later. It shares only the files of the user who switches this on or adds them; an admin shares all. They may view the files, not edit them. A public pool shares nothing with other users. Only the creator of the pool and admins may change this */
      shares_files?: boolean
    }
    ProposalsSettle: {
      /** @description Items as they were proposed; together they discard at most 500 files */
      items: {
        /**
         * Format: uuid
         * @description Id of the file that is kept
         * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
         */
        keep: string
        /** @description Ids of 1 to 50 other files, each once */
        discard: string[]
      }[]
    }
    Reach: {
      /** @description How many of the files the caller may view */
      files: number
      /** @description How many of `files` were created by others; the caller learns nothing about their rights. 0 for admins */
      not_yours: number
      /** @description What each user may do with the rest (`files` without `not_yours`), in the order requested */
      users: {
        /**
         * Format: int64
         * @description Id of the user
         */
        user_id: number
        /** @description How many of them the user may view */
        seen: number
        /** @description How many of them the user may edit */
        can_edit: number
        /** @description How many of those that others created the user may view through pools that share their files, whatever else lets them */
        through_pools: number
        /** @description These pools, ordered by name, at most 20, without those that the caller may not view */
        pools: components['schemas']['PoolName'][]
      }[]
    }
    ReachAsked: {
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids?: string[]
      /**
       * Format: uuid
       * @description Id of a pool, instead of `file_ids`: its files that are not in the trash
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      pool_id?: string
      /** @description Ids of at most 20 users; a repeated one counts once */
      user_ids: number[]
    }
    Refresh: {
      /** @description Can be exchanged for new tokens once */
      refresh_token: string
    }
    /** @description An entry that was not taken */
    RefusedEntry: {
      /** @description The name of the entry */
      filename: string
      /**
       * @description What became of the entry
       * @enum {string}
       */
      status: 'skipped' | 'error'
      /** @description Why it was not taken */
      reason: string
    }
    /** @description One line of a rescan: first `start`, then any number of `progress`, finally `done`. A rescan that fails ends with `error`, and the pairs of the previous rescan stay */
    RescanEvent:
      | {
          /**
           * @description What kind of event this is
           * @constant
           */
          type: 'start'
        }
      | {
          /**
           * @description What kind of event this is
           * @constant
           */
          type: 'progress'
          /**
           * @description `hash` hashes files that have no hash, `search` looks for pairs, `write` stores them
           * @enum {string}
           */
          stage: 'hash' | 'search' | 'write'
          /** @description How much of the stage is done */
          done: number
          /** @description How much the stage has to do in all */
          total: number
        }
      | {
          /** @description How many files the library has */
          files: number
          /** @description How many files that had no hash got one */
          hashed: number
          /** @description For how many files no hash could be made */
          failed: number
          /** @description How many pairs were found */
          pairs: number
          /** @description How many clusters the pairs form */
          clusters: number
          /** @description How long the rescan took */
          seconds: number
          /**
           * @description What kind of event this is
           * @constant
           */
          type: 'done'
        }
      | {
          /**
           * @description What kind of event this is
           * @constant
           */
          type: 'error'
          /** @description The code for programs, as in Error */
          code: string
          /** @description The message for people, as in Error */
          message: string
        }
    /** @description The progress of the running rescan, or the result of the last one. The tallies are known once it is done. No refused file is named; `failed` counts the files without a hash */
    RescanState: {
      /**
       * @description `idle` before the first one; `done` when its last event was `done`, else `failed` once it is over
       * @enum {string}
       */
      state: 'idle' | 'running' | 'done' | 'failed'
      /** @description When it began */
      started_at: string | null
      /** @description Who started it */
      by: components['schemas']['Starter'] | null
      /** @description The last event of its stream */
      progress: components['schemas']['RescanEvent'] | null
      /** @description What it has counted; null as long as it tells no numbers */
      tallies: {
        /** @description How many files the library has */
        files: number
        /** @description How many files that had no hash got one */
        hashed: number
        /** @description For how many files no hash could be made */
        failed: number
        /** @description How many pairs were found */
        pairs: number
        /** @description How many clusters the pairs form */
        clusters: number
        /** @description How long the rescan took */
        seconds: number
      } | null
      /** @description The last 200 entries that were not taken, in their order */
      refused: components['schemas']['RefusedEntry'][]
      /** @description How far the server is with what files of earlier versions lack, such as their sizes; null when nothing is left to be done but what the system refused, to which it comes back */
      background: {
        /** @description How many files it has come past */
        looked_at: number
        /** @description How many files there were when it began */
        total: number
      } | null
    }
    SelfUpdate: {
      /**
       * @description No other user may have it; spaces around it are removed
       * @example ann
       */
      name?: string
      /** @description A password of the length that the server requires, of at most 1024 bytes and 30 combining marks in a row */
      password?: string
      /** @description The current password, which is only checked together with a new one; a wrong one gets 403. A server with CONFIRM_PASSWORD=on requires it, except within ten minutes of signing in */
      current_password?: string
      /** @description Whether the new password also ends the keys of apps of the user */
      end_keys?: boolean
    }
    Session: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /** @description What the client called itself when it signed in */
      user_agent: string
      /**
       * Format: date-time
       * @description When the user signed in
       * @example 2024-05-06T07:08:09.000Z
       */
      started_at: string
      /** @description When it expires unless it is refreshed */
      expires_at: string | null
      /**
       * Format: date-time
       * @description When it was last used, to the minute
       * @example 2024-05-06T07:08:09.000Z
       */
      last_activity: string
      /** @description Whether it is the session of this request */
      is_current: boolean
    }
    SessionList: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Session'][]
      /** @description How many items the list has on all pages */
      total: number
    }
    /** @description What the pages remember for a user, such as the language */
    Settings: {
      [key: string]: unknown
    }
    /** @description Arbitrary key-value pairs, at most 16 KiB as JSON */
    SettingsUpdate: {
      [key: string]: unknown
    }
    SettleResult: {
      /** @description The number of the operation, by which it can be undone; null when none was settled */
      operation: number | null
      /** @description How many items were settled */
      settled: number
      /** @description The items for which nothing was done, in their order */
      skipped: {
        /**
         * Format: uuid
         * @description Id of the file that is kept
         * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
         */
        keep: string
        /**
         * @description `changed`: it would no longer be proposed like that. `forbidden_or_gone`: a file does not exist, or the caller may not edit it. `too_large`: the kept file would have more than 1,000 tags, or more than 64 KiB of metadata
         * @enum {string}
         */
        reason: 'changed' | 'forbidden_or_gone' | 'too_large'
      }[]
    }
    /** @description A link that shows files to people without an account */
    Share: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description What its page is called */
      title: string | null
      /** @description Id of its pool; null if it names files */
      pool_id: string | null
      /** @description Name of its pool; null also if the caller may not view that */
      pool_name: string | null
      /** @description How many files it shows now */
      files: number
      /** @description Of a pool: whether it also shows the files of its maker (of an admin: all files) that come into it later, whoever adds them */
      follows: boolean
      /**
       * @description What may be saved: `none`; `without_place`, contents in which positions and what names people or a camera are blanked, or the preview where that is impossible; `as_they_are`, the contents
       * @enum {string}
       */
      downloads: 'none' | 'without_place' | 'as_they_are'
      /** @description Whether the names of files are shown */
      shows_names: boolean
      /** @description Whether anybody who has the link may add files, which go to its maker's inbox; only for users who may upload */
      may_upload: boolean
      /** @description Whether it asks for a password */
      has_password: boolean
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description When it ends by itself */
      expires_at: string | null
      /** @description When somebody last saw it, to the minute */
      last_used_at: string | null
    }
    ShareAsked: {
      /**
       * Format: uuid
       * @description Id of a pool that the caller may view, and that does not fill itself
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      pool_id?: string
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids?: string[]
    }
    ShareCreate: {
      /**
       * Format: uuid
       * @description Id of a pool that the caller may view, and that does not fill itself
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      pool_id?: string
      /** @description Ids of at most 10000 files; a repeated one counts once */
      file_ids?: string[]
      /**
       * @description What the page of the link is called; the name of a pool is not shown by itself
       * @default null
       */
      title?: string | null
      /**
       * @description Of a pool: whether it also shows the files of its maker (of an admin: all files) that come into it later, whoever adds them
       * @default false
       */
      follows?: boolean
      /**
       * @description When it ends by itself, in the future
       * @default null
       */
      expires_at?: string | null
      /**
       * @description Has to be sent before the link shows anything
       * @default null
       */
      password?: string | null
      /**
       * @description What may be saved: `none`; `without_place`, contents in which positions and what names people or a camera are blanked, or the preview where that is impossible; `as_they_are`, the contents
       * @default without_place
       * @enum {string}
       */
      downloads?: 'none' | 'without_place' | 'as_they_are'
      /**
       * @description Whether the names of files are shown
       * @default false
       */
      shows_names?: boolean
      /**
       * @description Whether anybody who has the link may add files, which go to its maker's inbox; only for users who may upload
       * @default false
       */
      may_upload?: boolean
    }
    ShareMade: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description What its page is called */
      title: string | null
      /** @description Id of its pool; null if it names files */
      pool_id: string | null
      /** @description Name of its pool; null also if the caller may not view that */
      pool_name: string | null
      /** @description How many files it shows now */
      files: number
      /** @description Of a pool: whether it also shows the files of its maker (of an admin: all files) that come into it later, whoever adds them */
      follows: boolean
      /**
       * @description What may be saved: `none`; `without_place`, contents in which positions and what names people or a camera are blanked, or the preview where that is impossible; `as_they_are`, the contents
       * @enum {string}
       */
      downloads: 'none' | 'without_place' | 'as_they_are'
      /** @description Whether the names of files are shown */
      shows_names: boolean
      /** @description Whether anybody who has the link may add files, which go to its maker's inbox; only for users who may upload */
      may_upload: boolean
      /** @description Whether it asks for a password */
      has_password: boolean
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      /** @description When it ends by itself */
      expires_at: string | null
      /** @description When somebody last saw it, to the minute */
      last_used_at: string | null
      /**
       * @description Its address, which is shown only once: below PUBLIC_URL, or a path on this server, `/s/…`, when that is not set
       * @example https://photos.example.org/s/wFd0kYxJ3q8mN5tZb2LrQA
       */
      url: string
    }
    ShareOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Share'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    ShareReach: {
      /** @description How many files the link would show */
      files: number
      /** @description How many of those that the caller sees it would leave out, because others created them or because they are in the trash */
      left_out: number
    }
    /** @description A file as a link shows it */
    SharedFile: {
      /** @description Names the file in addresses of this link alone */
      id: string
      /**
       * @description What it is
       * @enum {string}
       */
      kind: 'picture' | 'film'
      /** @description Its name if the link shows names, and otherwise one like `photo-1.jpg` */
      name: string
      /** @description Pixels as displayed; null when unknown */
      width: number | null
      /** @description Pixels as displayed; null when unknown */
      height: number | null
      /** @description Seconds of a film; null when unknown */
      duration: number | null
      /** @description Its ThumbHash as base64; null when there is none */
      thumbhash: string | null
      /** @description The `id` of the film of a living picture, which the list leaves out */
      film: string | null
    }
    /** @description A page of what a link shows */
    SharedPage: {
      /** @description What its page is called */
      title: string | null
      /** @description How many files the link shows */
      total: number
      /**
       * @description What may be saved: `none`; `without_place`, contents in which positions and what names people or a camera are blanked, or the preview where that is impossible; `as_they_are`, the contents
       * @enum {string}
       */
      downloads: 'none' | 'without_place' | 'as_they_are'
      /** @description Whether anybody who has the link may add files, which go to its maker's inbox; only for users who may upload */
      may_upload: boolean
      /** @description How many bytes an added file may have */
      most_bytes: number
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['SharedFile'][]
      /** @description The `cursor` of the next page; null when there is none. A page ends before it passes 8 MiB, so it may have fewer items than requested */
      next_cursor: string | null
    }
    SharedPassword: {
      /** @description The password of the link */
      password: string
    }
    /** @description A pool through which a file is shared */
    SharedThrough: {
      /** @description The pool; null if the caller may not view it */
      pool: components['schemas']['PoolName'] | null
      /**
       * Format: date-time
       * @description Since when somebody has seen it through the pool
       * @example 2024-05-06T07:08:09.000Z
       */
      since: string
    }
    SimilarFiles: {
      /** @description The files, nearest first; the last are left out beyond 8 MiB */
      items: {
        file: components['schemas']['File']
        /** @description How many bits of the perceptual hashes differ */
        distance: number
      }[]
    }
    /** @description Who started something */
    Starter: {
      /**
       * Format: int64
       * @description Id of the user; 0 for the server itself
       */
      id: number
      /** @description Name of the user at that time, or `system` */
      name: string
    }
    /** @description The status of the server */
    Status: {
      /** @description The version of the server */
      version: string
      /**
       * @description What the server runs on, with its version
       * @example bun 1.4.5
       */
      runtime: string
      /** @description How many files there are, including those in the trash */
      files: number
      /**
       * Format: int64
       * @description The total size of their contents in bytes
       */
      bytes: number
      /** @description How many bytes of the disk are free; null if its file system doesn't report it */
      free_bytes: number | null
      /** @description The store of the contents, which is asked for this; null when they are in the data folder */
      store: {
        /** @description Its bucket and how the names of objects begin */
        name: string
        /** @description `away` when it does not answer, `refused` when it refuses, as with a wrong key, `foreign` when it has the contents of another library or none of this one; contents are not available then. Otherwise null */
        problem: ('away' | 'refused' | 'foreign') | null
        /** @description When that was first seen */
        since: string | null
      } | null
      /** @description How many contents are being decoded or are waiting for it */
      decoder_jobs: number
      /** @description How far the decoder is isolated (DECODER_WALLS); null until a decoder has started */
      decoder_walls: ('namespaces' | 'landlock' | 'user' | 'environment') | null
      /** @description Why it is not isolated further, for each stronger level; null where nothing prevents it */
      decoder_walls_reason: string | null
      /** @description How many processes find and count files beside the server: up to two, each of which ends after half a minute without a question */
      readers: number
      /** @description How many long changes are under way */
      long_changes: number
      /** @description How far the server is with what files of earlier versions lack, such as their sizes; null when nothing is left to be done but what the system refused, to which it comes back */
      background: {
        /** @description How many files it has come past */
        looked_at: number
        /** @description How many files there were when it began */
        total: number
      } | null
      /**
       * Format: int64
       * @description Number of the operation in which the server corrected dates of files of earlier versions. It can be undone once this work is over; until then an undo is a conflict. Null when there is none
       */
      dates_operation: number | null
      /** @description When the last backup was made, by the server or by hand; null when there is none */
      last_backup: string | null
      /** @description `failed` when one has failed since; for the last one, `incomplete` when a content was missing or damaged in the library, and `same_disk` when it protects only against deletion; otherwise null */
      backup_problem: ('failed' | 'incomplete' | 'same_disk') | null
      /** @description When the server last finished looking at all contents again; null before the first time */
      last_scrub: string | null
      /** @description How many contents were found to be missing, unreadable or different from what was stored, and are not known to be well again; the audit log has each as `content_damaged` */
      damaged: number
    }
    /** @description A label that files are organised by */
    Tag: {
      /**
       * Format: uuid
       * @description Given by the server and never changed
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /**
       * @description Unique among all tags
       * @example beach
       */
      name: string
      /** @description Free text, which may have several lines */
      notes: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color: string | null
      /** @description Id of the category of the tag; null for none */
      category_id: string | null
      /** @description Name of its category; null when there is none or the caller may not view it */
      category_name: string | null
      /** @description Colour of its category; null when there is none or the caller may not view it */
      category_color: string | null
      /** @description Arbitrary key-value pairs */
      metadata: {
        [key: string]: unknown
      } | null
      /**
       * Format: int64
       * @description Id of its creator; what a deleted user created passes to the admin who deleted them
       */
      creator_id: number
      /** @description Name of its creator */
      creator_name: string
      /** @description Whether everyone who is signed in may view it */
      is_public: boolean
      /**
       * Format: date-time
       * @description When it was created
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    /** @description How many files have each tag */
    TagCounts: {
      /** @description The number of files that have each tag, by the id of the tag, for the tags and files that the caller may view. Tags that none of the files has are left out */
      counts: {
        [key: string]: number
      }
      /**
       * Format: date-time
       * @description When they were counted
       * @example 2024-05-06T07:08:09.000Z
       */
      as_of: string
    }
    TagCreate: {
      /**
       * @description Unique among all tags; spaces around it are trimmed
       * @example beach
       */
      name: string
      notes?: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color?: string | null
      /** @description Id of the category of the tag; null for none */
      category_id?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /**
       * @description Whether everyone who is signed in may view it
       * @default false
       */
      is_public?: boolean
    }
    TagMerge: {
      /**
       * Format: uuid
       * @description Id of the tag that takes over the files and rules
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      into: string
    }
    TagOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['Tag'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    /** @description When the when-tag is added to a file, the then-tag follows */
    TagRule: {
      /**
       * Format: uuid
       * @description Id of the tag that another one follows from
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      when_tag_id: string
      /**
       * Format: uuid
       * @description Id of the tag that follows
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      then_tag_id: string
      /** @description Name of the tag that follows */
      then_tag_name: string
      /** @description Whether the rule takes effect */
      is_active: boolean
    }
    TagRuleCreate: {
      /**
       * Format: uuid
       * @description Id of the tag that follows
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      then_tag_id: string
      /**
       * @description Whether the rule takes effect
       * @default true
       */
      is_active?: boolean
      /**
       * @description Whether files that already have the tag get the tags that follow from it
       * @default true
       */
      apply_to_existing?: boolean
    }
    TagRuleUpdate: {
      /** @description Whether the rule takes effect */
      is_active: boolean
      /**
       * @description Whether files that already have the tag get the tags that follow from it
       * @default false
       */
      apply_to_existing?: boolean
    }
    TagUpdate: {
      /**
       * @description Unique among all tags; spaces around it are trimmed
       * @example beach
       */
      name?: string
      notes?: string | null
      /** @description Six hex digits for red, green and blue, without a `#` */
      color?: string | null
      /** @description Id of the category of the tag; null for none */
      category_id?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @description Whether everyone who is signed in may view it */
      is_public?: boolean
    }
    /** @description Files of the same day in earlier years */
    ThisDay: {
      /** @description The years that have files on that day, the latest first */
      years: {
        /** @description The year of the files */
        year: number
        /** @description How many files it has on that day */
        files: number
        /**
         * Format: date-time
         * @description When the first of them was taken
         * @example 2024-05-06T07:08:09.000Z
         */
        from: string
        /**
         * Format: date-time
         * @description Just after the last one was taken: a list between `from` and `to`, sorted by `content_datetime`, shows them all
         * @example 2024-05-06T07:08:09.000Z
         */
        to: string
        /** @description At most 3 of them, from the whole day */
        shown: {
          /**
           * Format: uuid
           * @description Given by the server and never changed
           * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
           */
          id: string
          /** @description The version of its pictures */
          version: string
        }[]
      }[]
    }
    /** @description How many files a list has in each month */
    Timeline: {
      /** @description How many files there are that the caller sees */
      total: number
      /** @description In the order of the list */
      buckets: {
        /**
         * @description The month, by the clock of the column `t` of cells, or a year of which no more is known
         * @example 2018-07
         * @example 1987
         */
        key: string
        /** @description Of a bucket of dates known to the month or the year alone, what is known. It follows the other days of that month, or the December of that year */
        precision: ('month' | 'year') | null
        /** @description Counted from 0. Every 4,000 files of a month are a bucket of their own, and so are files that a wrong clock has put among the files of another month */
        part: number
        /** @description How many files it has */
        count: number
        /** @description The sum of their aspect ratios, 4:3 where one is unknown */
        ratio: number
        /** @description A cursor of the list of files, at the end of the files of the buckets before it */
        cursor: string
      }[]
    }
    TokenPair: {
      /** @description Send it as `Authorization: Bearer …` */
      access_token: string
      /** @description Can be exchanged for new tokens once */
      refresh_token: string
      /** @description Seconds until the token expires */
      expires_in: number
    }
    UndoResult: {
      /** @description Number of the operation of the undo itself, which can also be undone unless it took back a merge of files. Null when nothing was undone, so that it can be tried again */
      operation: number | null
      /** @description For how many objects something was undone */
      undone: number
      /** @description What was not undone, at most 1,000; an object may be in both */
      kept: components['schemas']['Kept'][]
      /** @description How much was not undone in all */
      kept_total: number
    }
    /** @description An upload that comes in parts */
    UploadInParts: {
      /**
       * Format: uuid
       * @description Id of the upload
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @description The name that the file will have */
      filename: string | null
      /**
       * Format: int64
       * @description Bytes of the whole file
       */
      length: number | null
      /**
       * Format: int64
       * @description Bytes that have come; all of them once it is a file
       */
      offset: number
      /**
       * Format: date-time
       * @description When it is removed unless more bytes come
       * @example 2024-05-06T07:08:09.000Z
       */
      expires_at: string
      /** @description Id of the file that it has become */
      file_id: string | null
      /** @description Whether that file is new; false if it had the content already */
      is_new: boolean | null
    }
    User: {
      /**
       * Format: int64
       * @description Given by the server and never changed
       */
      id: number
      /** @description Name of the user, which no other user has */
      name: string
      /** @description Whether the user may do everything; only admins may manage users, read the audit log, import and start rescans */
      is_admin: boolean
      /** @description Whether the user may upload files and create tags, categories and pools; admins always may */
      can_create: boolean
      /** @description Whether the user is locked out; blocking ends all of their sessions and keys */
      is_blocked: boolean
    }
    UserCreate: {
      /**
       * @description No other user may have it; spaces around it are removed
       * @example ann
       */
      name: string
      /** @description A password of the length that the server requires, of at most 1024 bytes and 30 combining marks in a row */
      password: string
      /**
       * @description Whether the user may do everything; only admins may manage users, read the audit log, import and start rescans
       * @default false
       */
      is_admin?: boolean
      /**
       * @description Whether the user may upload files and create tags, categories and pools; admins always may
       * @default false
       */
      can_create?: boolean
    }
    UserOffsetPage: {
      /** @description The items on this page, in the order of the list */
      items: components['schemas']['User'][]
      /** @description How many items the list has on all pages */
      total: number
      /** @description How many items were skipped */
      offset: number
      /** @description How many items a page has at most */
      limit: number
    }
    UserUpdate: {
      /** @description Whether the user may do everything; only admins may manage users, read the audit log, import and start rescans */
      is_admin?: boolean
      /** @description Whether the user may upload files and create tags, categories and pools; admins always may */
      can_create?: boolean
      /** @description Whether the user is locked out; blocking ends all of their sessions and keys */
      is_blocked?: boolean
    }
    WebSession: {
      /** @description Send it as `Authorization: Bearer …` */
      access_token: string
      /** @description Seconds until the token expires */
      expires_in: number
      user: components['schemas']['User']
      /** @description Whether the user has added files, which stay theirs when they may add no more */
      has_files: boolean
      /** @description Part of the addresses of pictures, `/web/media/{media}/…`, as long as the session lives */
      media: string
    }
  }
  responses: {
    /** @description The path, query or body is not valid; `details` names each field */
    validation_error: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description There is no valid token, or the name or the password is wrong */
    unauthorized: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        /** @description The required scheme, which is Bearer */
        'WWW-Authenticate': string
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The caller has no right to do that */
    forbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description There is no such object */
    not_found: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The body arrived too slowly */
    timeout: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The state of the library does not allow it */
    conflict: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description What the request asks for first is not so */
    precondition_failed: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The body is too large */
    payload_too_large: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The file isn't a picture or video of a known type */
    unsupported_mime: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The range is outside the file */
    range_not_satisfiable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        /** @description The size of the file, as `bytes *\/size` */
        'Content-Range': string
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Too many failed attempts, passwords sent at once, uploads waiting, archives under way, or bytes of changes in a day; try again later */
    rate_limited: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        /** @description How many seconds to wait before the next attempt */
        'Retry-After': number
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Something went wrong on the server */
    internal_error: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
    busy: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        /** @description How many seconds to wait before the next attempt */
        'Retry-After': number
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
    insufficient_storage: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        'Tagstead-Version': components['headers']['Tagstead-Version']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The head of the request is too large. The HTTP layer answers this, in a form of its own */
    head_too_large: {
      headers: {
        [name: string]: unknown
      }
      content?: never
    }
  }
  parameters: never
  requestBodies: never
  headers: {
    /** @description Identifies the request in the server's log */
    'X-Request-Id': string
    /** @description The version of the server */
    'Tagstead-Version': string
    /** @description The number of the operation, for undoing it; absent when nothing changed */
    Operation: number
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The server is running */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getOpenApi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The OpenAPI 3.1 document of this API */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the document */
          ETag: string
          /** @description The size of this body in bytes */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the document */
          ETag: string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headOpenApi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The OpenAPI 3.1 document of this API */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the document */
          ETag: string
          /** @description The size of this body in bytes */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the document */
          ETag: string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  signInToWeb: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Login']
      }
    }
    responses: {
      /** @description The session of the page */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The two cookies of the session */
          'Set-Cookie': string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebSession']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  signOutOfWeb: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  refreshWebSession: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Empty']
      }
    }
    responses: {
      /** @description The session of the page */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WebSession']
        }
      }
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getWebThumbnail: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headWebThumbnail: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getWebPreview: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headWebPreview: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getWebFull: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content: {
          'image/*': string
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/*': string
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headWebFull: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getWebContent: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/*': string
          'video/*': string
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/*': string
          'video/*': string
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headWebContent: {
    parameters: {
      query?: {
        /** @description The version of the file */
        v?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description The `media` that signing in to the page returned */
        media: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Says that another session gets another answer */
          Vary: string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Says that another session gets another answer */
          Vary: string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listShared: {
    parameters: {
      query?: {
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SharedPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  openShared: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SharedPassword']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getSharedThumbnail: {
    parameters: {
      query?: {
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headSharedThumbnail: {
    parameters: {
      query?: {
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSharedPreview: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headSharedPreview: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSharedFilm: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The film, with its own type */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'video/*': string
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'video/*': string
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headSharedFilm: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The film, with its own type */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSharedContent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headSharedContent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
        /** @description The `id` that the file has in this link */
        file: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSharedArchive: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The archive */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description That it is to be saved, and its name (RFC 6266) */
          'Content-Disposition': string
          [name: string]: unknown
        }
        content: {
          'application/zip': Blob
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  uploadShared: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The characters of the link after `/s/` */
        token: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content of a picture or video, with its name, of a type listed under "Types of files"
           */
          file: Blob
          /** @description How the person who adds the file is called */
          name: string
          /**
           * Format: date-time
           * @description When the source was last changed. This is its date if `content_datetime`, its content and its name give none
           * @example 2024-05-06T07:08:09.000Z
           */
          modified?: string
        }
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  login: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Login']
      }
    }
    responses: {
      /** @description Tokens of a new session */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TokenPair']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  refresh: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Refresh']
      }
    }
    responses: {
      /** @description New tokens of the session */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TokenPair']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getFileContent: {
    parameters: {
      query?: {
        /** @description `1` sends it with its own type, for display; by default it is sent to be saved */
        inline?: '1'
        /** @description An access or content token, instead of the header; for GET only */
        access_token?: string
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content, with its own type if it is to be shown */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/*': string
          'video/*': string
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/*': string
          'video/*': string
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  replaceFileContent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content of a picture or video, with its name, of a type listed under "Types of files"
           */
          file: Blob
        }
      }
    }
    responses: {
      /** @description The file with its new content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headFileContent: {
    parameters: {
      query?: {
        /** @description `1` sends it with its own type, for display; by default it is sent to be saved */
        inline?: '1'
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content, with its own type if it is to be shown */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Whether to show or save the file, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getArchive: {
    parameters: {
      query?: {
        /** @description The token of the archive */
        access_token?: string
        /** @description `1` puts an XMP sidecar, `NAME.xmp`, beside each file: with its tags, rating, notes, date, position, people and pools, as far as the caller may view them */
        sidecars?: '1'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The archive */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description That it is to be saved, and its name (RFC 6266) */
          'Content-Disposition': string
          [name: string]: unknown
        }
        content: {
          'application/zip': Blob
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createArchive: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ArchiveAsked']
      }
    }
    responses: {
      /** @description The token, and what it is for */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Archive']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  waitForChanges: {
    parameters: {
      query?: {
        /** @description The `next` of the last answer, unchanged. Without it, the answer comes at once */
        since?: string
        /** @description How many seconds to wait for a change at most */
        wait?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description What has changed */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileChanges']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  logout: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The live sessions, newest first */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionList']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  endSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the session */
        session_id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listKeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The live keys, newest first */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['KeyList']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['KeyCreate']
      }
    }
    responses: {
      /** @description The key */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['NewKey']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  endKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the key */
        key_id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listUsers: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of users */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UserOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createUser: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserCreate']
      }
    }
    responses: {
      /** @description The new user */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listPeople: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The people */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Person'][]
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getSelf: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The caller */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateSelf: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SelfUpdate']
      }
    }
    responses: {
      /** @description The caller */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the user */
        user_id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the user */
        user_id: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the user */
        user_id: number
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdate']
      }
    }
    responses: {
      /** @description The changed user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  resetPassword: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the user */
        user_id: number
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['PasswordReset']
      }
    }
    responses: {
      /** @description The password */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['GeneratedPassword']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The settings */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Settings']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  replaceSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SettingsUpdate']
      }
    }
    responses: {
      /** @description The settings */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Settings']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listDuplicates: {
    parameters: {
      query?: {
        /** @description How many items to return at most */
        limit?: number
        /** @description How many items to skip */
        offset?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of clusters, as of the last rescan */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DuplicateClusterPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listDuplicateIds: {
    parameters: {
      query?: {
        /** @description How many items to return at most */
        limit?: number
        /** @description How many items to skip */
        offset?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of clusters, as of the last rescan */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DuplicateIdPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  dismissDuplicate: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DuplicateDismiss']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  resolveDuplicate: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DuplicateResolve']
      }
    }
    responses: {
      /** @description The survivor */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listDuplicateProposals: {
    parameters: {
      query?: {
        /** @description How many items to return at most */
        limit?: number
        /** @description How many items to skip */
        offset?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of proposals */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DuplicateProposalPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  settleDuplicateProposals: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ProposalsSettle']
      }
    }
    responses: {
      /** @description What was settled */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SettleResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getRescan: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The current state */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RescanState']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  rescanDuplicates: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The progress, one event per line */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': components['schemas']['RescanEvent']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listSimilarFiles: {
    parameters: {
      query?: {
        /** @description How many items to return at most */
        limit?: number
        /** @description How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD by default */
        distance?: number
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The files with their distances */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SimilarFiles']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  findSimilarFiles: {
    parameters: {
      query?: {
        /** @description How many items to return at most */
        limit?: number
        /** @description How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD by default */
        distance?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content of a picture or video, with its name, of a type listed under "Types of files"
           */
          file: Blob
        }
      }
    }
    responses: {
      /** @description The files with their distances */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SimilarFiles']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getImport: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The current state */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ImportState']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  importFiles: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['ImportRequest']
      }
    }
    responses: {
      /** @description The progress, one event per line */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': components['schemas']['ImportEvent']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  endImport: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listImportFolders: {
    parameters: {
      query?: {
        /** @description A folder in the import folder; by default the import folder itself */
        path?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The folders */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ImportFolders']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  countImport: {
    parameters: {
      query?: {
        /** @description A folder in the import folder; by default the import folder itself */
        path?: string
        /** @description Whether to count in the folders in it too, as an import with this option does */
        recursive?: boolean
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The count */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ImportCount']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkTags: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkTags']
      }
    }
    responses: {
      /** @description The named tags and those that followed */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AppliedTags']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkUpdate: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkUpdate']
      }
    }
    responses: {
      /** @description What happened to the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BulkResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkDelete: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkFiles']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkRestore: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkFiles']
      }
    }
    responses: {
      /** @description What happened to the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BulkResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkDeletePermanently: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkFiles']
      }
    }
    responses: {
      /** @description What happened to the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BulkResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkReview: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkReview']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  commonTags: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkFiles']
      }
    }
    responses: {
      /** @description The tags on all of the files and those on only some */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CommonTags']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  addFavourite: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  removeFavourite: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkFavourite: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkFavourite']
      }
    }
    responses: {
      /** @description What happened to the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BulkResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  bulkShare: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkShare']
      }
    }
    responses: {
      /** @description What happened to the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['BulkResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  readReach: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReachAsked']
      }
    }
    responses: {
      /** @description How many files each user sees */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Reach']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  readNews: {
    parameters: {
      query?: {
        /** @description `until` of the previous answer; without it nothing is new */
        since?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description What is new */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['News']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listFileIds: {
    parameters: {
      query?: {
        /** @description What to sort by; when absent, as the cursor says, or else `created`, or in a pool as the pool does */
        sort?: 'content_datetime' | 'created' | 'original_name' | 'mime'
        /** @description By default what the cursor says, or `desc` without one */
        order?: 'asc' | 'desc'
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of ids */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileIdPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listCells: {
    parameters: {
      query?: {
        /** @description What to sort by; when absent, as the cursor says, or else `created`, or in a pool as the pool does */
        sort?: 'content_datetime' | 'created' | 'original_name' | 'mime'
        /** @description By default what the cursor says, or `desc` without one */
        order?: 'asc' | 'desc'
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description Which way to go from the cursor or the anchor */
        direction?: 'forward' | 'backward'
        /** @description Id of the file at which to start; not allowed together with a cursor */
        anchor?: string
        /** @description How many items to return at most */
        limit?: number
        /** @description `1` to include the column `h` */
        hashes?: '0' | '1'
        /** @description `1` to include the column `s` */
        series?: '0' | '1'
        /** @description `1` to include the column `p` */
        places?: '0' | '1'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of cells */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CellPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getTimeline: {
    parameters: {
      query?: {
        /** @description Which time the files are counted by */
        sort?: 'created' | 'content_datetime'
        /** @description The order of the buckets */
        order?: 'asc' | 'desc'
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The months that have files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Timeline']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  countFacets: {
    parameters: {
      query: {
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Which time `from` and `to` mean */
        sort?: 'created' | 'content_datetime'
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
        /** @description What to count the files by; towns are counted with their countries */
        of: 'camera' | 'town' | 'type' | 'creator' | 'size' | 'shape' | 'review'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The values that files have */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Facets']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  readMap: {
    parameters: {
      query?: {
        /** @description Which time `from` and `to` refer to */
        sort?: 'created' | 'content_datetime'
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
        /** @description How many characters the geohash of a cell has */
        cells?: number
        /** @description At most 64 geohashes of 1 to 8 characters, separated by commas: only files that were taken in one of them count */
        within?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The cells that have files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileMap']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  readThisDay: {
    parameters: {
      query: {
        /** @description Which day it is where the caller is */
        day: string
        /** @description `1` to leave out the film of a living picture if the picture is of the same day */
        pairs?: '0' | '1'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The years that have files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ThisDay']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  findKnownFiles: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['KnownRequest']
      }
    }
    responses: {
      /** @description The contents that are there */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['KnownContents']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listFiles: {
    parameters: {
      query?: {
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description Which way to go from the cursor or the anchor */
        direction?: 'forward' | 'backward'
        /** @description Id of the file at which to start; not allowed together with a cursor */
        anchor?: string
        /** @description How many items to return at most */
        limit?: number
        /** @description What to sort by; by default what the cursor says, or `created` without one */
        sort?: 'content_datetime' | 'created' | 'original_name' | 'mime'
        /** @description By default what the cursor says, or `desc` without one */
        order?: 'asc' | 'desc'
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileCursorPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  uploadFile: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content of a picture or video, with its name, of a type listed under "Types of files"
           */
          file: Blob
          /**
           * Format: date-time
           * @description When it was taken: the given time, or else the time from its content, from its name (for an upload), of the last change of its source, or of its arrival. A clock without a zone is in TIME_ZONE
           * @example 2024-05-06T07:08:09.000Z
           */
          content_datetime?: string
          /**
           * Format: date-time
           * @description When the source was last changed. This is its date if `content_datetime`, its content and its name give none
           * @example 2024-05-06T07:08:09.000Z
           */
          modified?: string
          /** @description At most 64 KiB as UTF-8 */
          notes?: string
          /**
           * @description The text of a JSON object of at most 64 KiB
           * @example {"place":"home"}
           */
          metadata?: string
          /**
           * @description Whether everyone who is signed in may view it
           * @default false
           */
          is_public?: boolean
          /** @description Ids of at most 1000 tags to add to the file, separated by commas */
          tag_ids?: string
          /**
           * @description What happens to a content that a file visible to the caller already has: `keep` makes another file of it, `skip` returns the oldest such file unchanged, `conflict` answers 409. A file in the trash counts only when there is no other one, and only for callers who may restore it. The server knows once all bytes are here, so the quota needs room for them: `/files/known` answers before that
           * @default keep
           * @enum {string}
           */
          on_duplicate?: 'keep' | 'skip' | 'conflict'
          /**
           * @description `1` when this is a picture or its film of which the caller has the other, or sends it: a new file then becomes one living picture with the only file of the caller that was taken with it. Both name one `ContentIdentifier` in their `exif`; or they have one name up to the extension, were taken within 3 seconds, by one `Make` and `Model` as far as both say, and the film lasts at most 5 seconds. `companion_of` of the film says so
           * @constant
           */
          pair?: '1'
          /**
           * @description `1` when the file gets what it says of itself: a tag for each keyword, for each level of a path of keywords, for its people, its rating and its label; its caption as notes unless the request has some
           * @constant
           */
          keyword_tags?: '1'
          /**
           * @description Whether tags and categories that `keyword_tags` creates are public
           * @default false
           */
          public_tags?: boolean
        }
      }
    }
    responses: {
      /** @description The existing file with the same content, unchanged */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      /** @description The new file */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The file */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  trashFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FileUpdate']
      }
    }
    responses: {
      /** @description The changed file */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  restoreFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The file */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['File']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteFilePermanently: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  recordFileView: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createUpload: {
    parameters: {
      query?: never
      header: {
        /** @description The version of tus: `1.0.0` */
        'Tus-Resumable'?: string
        /** @description Bytes of the file */
        'Upload-Length': number
        /** @description Pairs of a name and its value in Base64, separated by commas: `filename`, and the fields of a form of `POST /files`. Others are ignored */
        'Upload-Metadata'?: string
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It has begun */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The version of tus */
          'Tus-Resumable': string
          /** @description How many bytes have come */
          'Upload-Offset': string
          /** @description When it is removed unless more bytes come */
          'Upload-Expires': string
          /** @description Its address */
          Location: string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      412: components['responses']['precondition_failed']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getUpload: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the upload */
        upload_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The upload */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The version of tus */
          'Tus-Resumable': string
          /** @description How many bytes have come */
          'Upload-Offset': string
          /** @description When it is removed unless more bytes come */
          'Upload-Expires': string
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UploadInParts']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      412: components['responses']['precondition_failed']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  discardUpload: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the upload */
        upload_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The version of tus */
          'Tus-Resumable': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      412: components['responses']['precondition_failed']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  appendToUpload: {
    parameters: {
      query?: never
      header: {
        /** @description The version of tus: `1.0.0` */
        'Tus-Resumable'?: string
        /** @description How many bytes the server has */
        'Upload-Offset': number
      }
      path: {
        /** @description Id of the upload */
        upload_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/offset+octet-stream': Blob
      }
    }
    responses: {
      /** @description The bytes are safe */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The version of tus */
          'Tus-Resumable': string
          /** @description How many bytes have come */
          'Upload-Offset': string
          /** @description When it is removed unless more bytes come */
          'Upload-Expires': string
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      412: components['responses']['precondition_failed']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createContentToken: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The token and its lifetime in seconds */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ContentToken']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getFileThumbnail: {
    parameters: {
      query?: {
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headFileThumbnail: {
    parameters: {
      query?: {
        /** @description The most pixels that the longer side may have */
        size?: '320' | '640'
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getFilePreview: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length'?: number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      416: components['responses']['range_not_satisfiable']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  headFilePreview: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The picture */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are requested in bytes */
          'Accept-Ranges': string
          /** @description The number of bytes in the body */
          'Content-Length': number
          /** @description Which bytes these are, and of how many */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client already has this version */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description Identifies this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The path, query or body is not valid; `details` names each field */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no valid token, or the name or the password is wrong */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The required scheme, which is Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range is outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong on the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The client has too many requests under way, what is asked takes too long now, or the server is stopping; try again later */
      503: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          /** @description How many seconds to wait before the next attempt */
          'Retry-After': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is nearly full, or a quota is reached; then `details` names the file */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listFileTags: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The tags of the file, by name */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileTag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  replaceFileTags: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FileTags']
      }
    }
    responses: {
      /** @description The tags of the file, including those that followed by rules */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileTag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  addFileTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The tags of the file, including those that followed by rules */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileTag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  removeFileTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listTagFiles: {
    parameters: {
      query?: {
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description Which way to go from the cursor */
        direction?: 'forward' | 'backward'
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileCursorPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  countTags: {
    parameters: {
      query?: {
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list only the files in the trash, instead of only the others */
        trash?: boolean
        /** @description The instant from which to list files, by `created_at` when they are sorted by `created`, otherwise by `content_datetime` */
        from?: string
        /** @description The instant before which to list files, by the same time as `from` */
        to?: string
        /** @description Which time `from` and `to` mean */
        sort?: 'created' | 'content_datetime'
        /** @description Id of the pool whose files to list */
        pool?: string
        /** @description `1` to leave out the film of a living picture where the list holds the picture */
        pairs?: '0' | '1'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description How many files have each tag */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagCounts']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listAllTagRules: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The rules */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagRule'][]
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listTagRules: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description What follows when the tag is added to a file */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagRule'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TagRuleCreate']
      }
    }
    responses: {
      /** @description The new rule */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagRule']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
        /** @description Id of the tag that follows */
        then_tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
        /** @description Id of the tag that follows */
        then_tag_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TagRuleUpdate']
      }
    }
    responses: {
      /** @description The changed rule */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagRule']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listTags: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
        /** @description What to sort by */
        sort?: 'name' | 'color' | 'category_name' | 'created'
        /** @description Ascending or descending */
        order?: 'asc' | 'desc'
        /** @description Part of the name, in upper or lower case */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of tags */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createTag: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TagCreate']
      }
    }
    responses: {
      /** @description The new tag */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The tag */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TagUpdate']
      }
    }
    responses: {
      /** @description The changed tag */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  mergeTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the tag */
        tag_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TagMerge']
      }
    }
    responses: {
      /** @description The other tag */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listCategoryTags: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description Id of the category */
        category_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of tags, newest first */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listCategories: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
        /** @description What to sort by */
        sort?: 'name' | 'created'
        /** @description Ascending or descending */
        order?: 'asc' | 'desc'
        /** @description Part of the name, in upper or lower case */
        search?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of categories */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CategoryOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createCategory: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CategoryCreate']
      }
    }
    responses: {
      /** @description The new category */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Category']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the category */
        category_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The category */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Category']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the category */
        category_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updateCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the category */
        category_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['CategoryUpdate']
      }
    }
    responses: {
      /** @description The changed category */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Category']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listPools: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
        /** @description What to sort by */
        sort?: 'name' | 'created'
        /** @description Ascending or descending */
        order?: 'asc' | 'desc'
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Only pools that fill themselves, whose filter has this token, and that the caller may edit: those that match other files once what it names is deleted */
        names?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of pools */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PoolOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createPool: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PoolCreate']
      }
    }
    responses: {
      /** @description The new pool */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Pool']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getPool: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The pool */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Pool']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  deletePool: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  updatePool: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PoolUpdate']
      }
    }
    responses: {
      /** @description The changed pool */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Pool']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  recordPoolView: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listPoolFiles: {
    parameters: {
      query?: {
        /** @description A cursor that came with an earlier page of this list, unchanged */
        cursor?: string
        /** @description How many items to return at most */
        limit?: number
        /** @description Which files to list, in the filter language; see the introduction of this document */
        filter?: string
      }
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of files with their positions */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PoolFileCursorPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  addPoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PoolFilesAdd']
      }
    }
    responses: {
      /** @description Done */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  removePoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PoolFilesRemove']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  reorderPoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the pool */
        pool_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PoolReorder']
      }
    }
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  readShareReach: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ShareAsked']
      }
    }
    responses: {
      /** @description How many files there are */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ShareReach']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listShares: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of links */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ShareOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  createShare: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ShareCreate']
      }
    }
    responses: {
      /** @description The link and its address */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ShareMade']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  endShare: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Id of the link */
        share_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Done */
      204: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listPermissions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The kind of object */
        object_type: 'file' | 'tag' | 'category' | 'pool'
        /** @description Id of the object */
        object_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The entries, ordered by user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Permission'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  replacePermissions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The kind of object */
        object_type: 'file' | 'tag' | 'category' | 'pool'
        /** @description Id of the object */
        object_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['AclUpdate']
      }
    }
    responses: {
      /** @description The entries, ordered by user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Permission'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      408: components['responses']['timeout']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listAuditLog: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items to return at most */
        limit?: number
        /** @description Id of the user who did it */
        user_id?: number
        /** @description What was done: one of user_login, user_login_failed, user_logout, session_terminate, token_reuse, key_create, key_end, user_create, user_edit, user_password_reset, user_role_change, user_block, user_unblock, user_delete, file_create, file_edit, file_replace, file_delete, file_restore, file_permanent_delete, file_review, file_tag_add, file_tag_remove, file_tag_replace, file_merge, tag_create, tag_edit, tag_delete, tag_merge, tag_rule_create, tag_rule_edit, tag_rule_delete, category_create, category_edit, category_delete, pool_create, pool_edit, pool_delete, file_pool_add, file_pool_remove, file_pool_reorder, acl_change, duplicate_dismiss, duplicate_rescan, archive_download, share_create, share_end, share_use, content_damaged, operation_undo */
        action?: string
        /** @description What kind of object it was done to */
        object_type?: 'file' | 'tag' | 'category' | 'pool'
        /** @description Id of the object it was done to */
        object_id?: string
        /** @description Not before this time */
        from?: string
        /** @description Not after this time */
        to?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of entries */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['AuditLogOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  undoOperation: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description Number of the operation, as the header `Operation` of an answer names it */
        operation: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description What was undone and what was not */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          Operation: components['headers']['Operation']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['UndoResult']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      409: components['responses']['conflict']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  listFileHistory: {
    parameters: {
      query?: {
        /** @description `next_cursor` of the previous page */
        cursor?: number
        /** @description How many items to return at most */
        limit?: number
      }
      header?: never
      path: {
        /** @description Id of the file */
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of what was done */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['FileHistoryPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
  getStatus: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The current status */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          'Tagstead-Version': components['headers']['Tagstead-Version']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Status']
        }
      }
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      503: components['responses']['busy']
      507: components['responses']['insufficient_storage']
    }
  }
}
