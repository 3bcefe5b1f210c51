// Made by `npm run client` from the OpenAPI document; changes are lost.

export interface paths {
  '/health': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** Tell whether the server is serving */
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
    /** Get this document */
    get: operations['getOpenApi']
    put?: never
    post?: never
    delete?: never
    options?: never
    /** Get this document: the headers alone */
    head: operations['headOpenApi']
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
    /** Sign in */
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
    /** Exchange a refresh token for new tokens */
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
    /** Download the content of a file */
    get: operations['getFileContent']
    /** Replace the content of a file */
    put: operations['replaceFileContent']
    post?: never
    delete?: never
    options?: never
    /** Download the content of a file: the headers alone */
    head: operations['headFileContent']
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
    /** End the present session */
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
    /** List the sessions of the caller */
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
    /** End a session */
    delete: operations['endSession']
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
    /** List users */
    get: operations['listUsers']
    put?: never
    /** Create a user */
    post: operations['createUser']
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
    /** Get the caller */
    get: operations['getSelf']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    /** Change the name or password of the caller */
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
    /** Get a user */
    get: operations['getUser']
    put?: never
    post?: never
    /** Delete a user; what they created passes to the caller */
    delete: operations['deleteUser']
    options?: never
    head?: never
    /** Change the rights of a user */
    patch: operations['updateUser']
    trace?: never
  }
  '/api/v1/files/duplicates': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List clusters of files that look alike */
    get: operations['listDuplicates']
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
    /** Record that two files are no duplicates */
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
    /** Merge one file into another */
    post: operations['resolveDuplicate']
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
    get?: never
    put?: never
    /** Look for duplicates anew */
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
    /** List files that look like a file, nearest first */
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
    /** List files that look like a picture that is not stored */
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
    get?: never
    put?: never
    /** Import the files of a folder of the server */
    post: operations['importFiles']
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
    /** Add or remove tags on many files */
    post: operations['bulkTags']
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
    /** Move many files to the trash */
    post: operations['bulkDelete']
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
    /** Mark many files as reviewed or not */
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
    /** Compare the tags of many files */
    post: operations['commonTags']
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
     * @description Pages of files in a sort and order, cut by a cursor or around an anchor. Items always stand in the order of the list; a cursor is null if and only if nothing lies its way.
     */
    get: operations['listFiles']
    put?: never
    /** Upload a file */
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
    /** Get a file */
    get: operations['getFile']
    put?: never
    post?: never
    /** Move a file to the trash */
    delete: operations['trashFile']
    options?: never
    head?: never
    /** Change the fields of a file */
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
    /** Take a file out of the trash */
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
    /** Delete a trashed file for good */
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
    /** Record that the caller viewed a file */
    post: operations['recordFileView']
    delete?: never
    options?: never
    head?: never
    patch?: never
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
    /** Make a token for the content of one file */
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
     * @description A JPEG inside 320 x 320 pixels; a placeholder where the file can't be decoded.
     */
    get: operations['getFileThumbnail']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the thumbnail of a file: the headers alone
     * @description A JPEG inside 320 x 320 pixels; a placeholder where the file can't be decoded.
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
     * @description A JPEG inside 1920 x 1920 pixels; a placeholder where the file can't be decoded.
     */
    get: operations['getFilePreview']
    put?: never
    post?: never
    delete?: never
    options?: never
    /**
     * Get the preview of a file: the headers alone
     * @description A JPEG inside 1920 x 1920 pixels; a placeholder where the file can't be decoded.
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
    /** List the tags of a file */
    get: operations['listFileTags']
    /** Replace all tags of a file */
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
    /** Put a tag on a file */
    put: operations['addFileTag']
    post?: never
    /** Take a tag off a file */
    delete: operations['removeFileTag']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List tags */
    get: operations['listTags']
    put?: never
    /** Create a tag */
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
    /** Get a tag */
    get: operations['getTag']
    put?: never
    post?: never
    /** Delete a tag */
    delete: operations['deleteTag']
    options?: never
    head?: never
    /** Change a tag */
    patch: operations['updateTag']
    trace?: never
  }
  '/api/v1/tags/{tag_id}/files': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the files of a tag, newest first */
    get: operations['listTagFiles']
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
    /** List the rules of a tag */
    get: operations['listTagRules']
    put?: never
    /** Create a rule */
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
    /** Delete a rule */
    delete: operations['deleteTagRule']
    options?: never
    head?: never
    /** Switch a rule on or off */
    patch: operations['updateTagRule']
    trace?: never
  }
  '/api/v1/categories': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List categories */
    get: operations['listCategories']
    put?: never
    /** Create a category */
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
    /** Get a category */
    get: operations['getCategory']
    put?: never
    post?: never
    /** Delete a category; its tags stay */
    delete: operations['deleteCategory']
    options?: never
    head?: never
    /** Change a category */
    patch: operations['updateCategory']
    trace?: never
  }
  '/api/v1/categories/{category_id}/tags': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List the tags of a category */
    get: operations['listCategoryTags']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/api/v1/pools': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /** List pools */
    get: operations['listPools']
    put?: never
    /** Create a pool */
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
    /** Get a pool */
    get: operations['getPool']
    put?: never
    post?: never
    /** Delete a pool; its files stay */
    delete: operations['deletePool']
    options?: never
    head?: never
    /** Change a pool and how it is sorted */
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
    /** Record that the caller viewed a pool */
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
    /** List the files of a pool in its active sort */
    get: operations['listPoolFiles']
    put?: never
    /** Put files into a pool */
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
    /** Take files out of a pool */
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
    /** Arrange the files of a manual pool */
    put: operations['reorderPoolFiles']
    post?: never
    delete?: never
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
    /** List who may view and edit an object */
    get: operations['listPermissions']
    /** Replace who may view and edit an object */
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
    /** Read the audit log, newest first */
    get: operations['listAuditLog']
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
      permissions: {
        user_id: number
        /** @default true */
        can_view?: boolean
        /** @default false */
        can_edit?: boolean
      }[]
    }
    AppliedTags: {
      applied_tag_ids: string[]
    }
    AuditLogEntry: {
      /** Format: int64 */
      id: number
      user_id: number
      user_name: string
      /** @example file_create */
      action: string
      object_type: string | null
      object_id: string | null
      details: {
        [key: string]: unknown
      } | null
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      performed_at: string
    }
    AuditLogOffsetPage: {
      items: components['schemas']['AuditLogEntry'][]
      total: number
      offset: number
      limit: number
    }
    BulkFiles: {
      /** @description At most 10000 files; a repeated one counts once */
      file_ids: string[]
    }
    BulkReview: {
      /** @description At most 10000 files; a repeated one counts once */
      file_ids: string[]
      needs_review: boolean
    }
    BulkTags: {
      /** @description At most 10000 files; a repeated one counts once */
      file_ids: string[]
      /** @enum {string} */
      action: 'add' | 'remove'
      /** @description At most 1000 tags; a repeated one counts once */
      tag_ids: string[]
    }
    Category: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @example Places */
      name: string
      notes: string | null
      color: string | null
      metadata: {
        [key: string]: unknown
      } | null
      creator_id: number
      creator_name: string
      is_public: boolean
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    CategoryCreate: {
      /** @example Places */
      name: string
      notes?: string | null
      color?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @default false */
      is_public?: boolean
    }
    CategoryOffsetPage: {
      items: components['schemas']['Category'][]
      total: number
      offset: number
      limit: number
    }
    CategoryUpdate: {
      /** @example Places */
      name?: string
      notes?: string | null
      color?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      is_public?: boolean
    }
    CommonTags: {
      common_tag_ids: string[]
      partial_tag_ids: string[]
    }
    ContentToken: {
      token: string
      expires_in: number
    }
    DuplicateCluster: {
      files: components['schemas']['File'][]
      distances: components['schemas']['DuplicatePairDistance'][]
    }
    DuplicateClusterPage: {
      items: components['schemas']['DuplicateCluster'][]
      total: number
      offset: number
      limit: number
    }
    DuplicateDismiss: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      file_id_a: string
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      file_id_b: string
    }
    DuplicatePairDistance: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      a: string
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      b: string
      distance: number
    }
    DuplicateResolve: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      keep: string
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      discard: string
      /** @default true */
      delete_discarded?: boolean
      /** @default {} */
      fields?: {
        /**
         * @default keep
         * @enum {string}
         */
        original_name?: 'keep' | 'discard'
        /**
         * @default keep
         * @enum {string}
         */
        notes?: 'keep' | 'discard'
        /**
         * @default keep
         * @enum {string}
         */
        content_datetime?: 'keep' | 'discard'
        /**
         * @default keep
         * @enum {string}
         */
        is_public?: 'keep' | 'discard'
        /**
         * @default keep
         * @enum {string}
         */
        metadata?: 'keep' | 'discard' | 'merge'
        /**
         * @default keep
         * @enum {string}
         */
        tags?: 'keep' | 'both'
        /**
         * @default keep
         * @enum {string}
         */
        pools?: 'keep' | 'both'
      }
    }
    Error: {
      /** @enum {string} */
      code:
        | 'validation_error'
        | 'unauthorized'
        | 'forbidden'
        | 'not_found'
        | 'method_not_allowed'
        | 'conflict'
        | 'payload_too_large'
        | 'unsupported_mime'
        | 'range_not_satisfiable'
        | 'rate_limited'
        | 'internal_error'
        | 'insufficient_storage'
      message: string
      details?: {
        field: string
        message: string
      }[]
    }
    File: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      original_name: string | null
      /** @example image/jpeg */
      mime_type: string
      /** @example jpg */
      mime_extension: string
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime: string
      notes: string | null
      metadata: {
        [key: string]: unknown
      } | null
      exif: {
        [key: string]: unknown
      }
      phash: number | null
      creator_id: number
      creator_name: string
      is_public: boolean
      is_deleted: boolean
      needs_review: boolean
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      tags: components['schemas']['Tag'][]
    }
    FileCursorPage: {
      items: components['schemas']['File'][]
      next_cursor: string | null
      prev_cursor: string | null
    }
    FileTags: {
      /** @description At most 1000 tags; a repeated one counts once */
      tag_ids: string[]
    }
    FileUpdate: {
      original_name?: string | null
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime?: string
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      is_public?: boolean
    }
    Health: {
      status: string
    }
    ImportEvent: {
      /** @enum {string} */
      type: 'start' | 'file' | 'done' | 'error'
      total?: number
      index?: number
      filename?: string
      /** @enum {string} */
      status?: 'imported' | 'skipped' | 'error'
      reason?: string
      imported?: number
      skipped?: number
      errors?: number
    }
    ImportRequest: {
      /** @description A folder in the import folder; that one when not given */
      path?: string
    }
    Login: {
      name: string
      password: string
    }
    Permission: {
      user_id: number
      user_name: string
      can_view: boolean
      can_edit: boolean
    }
    Pool: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @example Summer 2024 */
      name: string
      notes: string | null
      metadata: {
        [key: string]: unknown
      } | null
      creator_id: number
      creator_name: string
      is_public: boolean
      /** @enum {string} */
      sort_key: 'manual' | 'content_datetime' | 'created' | 'original_name'
      /**
       * @description Ascending or descending
       * @enum {string}
       */
      sort_order: 'asc' | 'desc'
      file_count: number
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    PoolCreate: {
      /** @example Summer 2024 */
      name: string
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @default false */
      is_public?: boolean
    }
    PoolFile: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      original_name: string | null
      /** @example image/jpeg */
      mime_type: string
      /** @example jpg */
      mime_extension: string
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      content_datetime: string
      notes: string | null
      metadata: {
        [key: string]: unknown
      } | null
      exif: {
        [key: string]: unknown
      }
      phash: number | null
      creator_id: number
      creator_name: string
      is_public: boolean
      is_deleted: boolean
      needs_review: boolean
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
      tags: components['schemas']['Tag'][]
      position: number
    }
    PoolFileCursorPage: {
      items: components['schemas']['PoolFile'][]
      next_cursor: string | null
    }
    PoolFilesAdd: {
      /** @description At most 10000 files; a repeated one counts once */
      file_ids: string[]
      /** @description Where the first of them goes, from 0; at the end when not given */
      position?: number
    }
    PoolFilesRemove: {
      /** @description At most 10000 files; a repeated one counts once */
      file_ids: string[]
    }
    PoolOffsetPage: {
      items: components['schemas']['Pool'][]
      total: number
      offset: number
      limit: number
    }
    PoolReorder: {
      file_ids: string[]
    }
    PoolUpdate: {
      /** @example Summer 2024 */
      name?: string
      notes?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      is_public?: boolean
      /** @enum {string} */
      sort_key?: 'manual' | 'content_datetime' | 'created' | 'original_name'
      /**
       * @description Ascending or descending
       * @enum {string}
       */
      sort_order?: 'asc' | 'desc'
    }
    Refresh: {
      refresh_token: string
    }
    RescanEvent:
      | {
          /** @constant */
          type: 'start'
        }
      | {
          /** @constant */
          type: 'progress'
          /** @enum {string} */
          stage: 'hash' | 'search' | 'write'
          done: number
          total: number
        }
      | {
          files: number
          hashed: number
          failed: number
          pairs: number
          clusters: number
          seconds: number
          /** @constant */
          type: 'done'
        }
      | {
          /** @constant */
          type: 'error'
          code: string
          message: string
        }
    SelfUpdate: {
      /** @example ann */
      name?: string
      password?: string
    }
    Session: {
      id: number
      user_agent: string
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      started_at: string
      expires_at: string | null
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      last_activity: string
      is_current: boolean
    }
    SessionList: {
      items: components['schemas']['Session'][]
      total: number
    }
    SimilarFiles: {
      items: {
        file: components['schemas']['File']
        distance: number
      }[]
    }
    Tag: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      id: string
      /** @example beach */
      name: string
      notes: string | null
      color: string | null
      category_id: string | null
      category_name: string | null
      category_color: string | null
      metadata: {
        [key: string]: unknown
      } | null
      creator_id: number
      creator_name: string
      is_public: boolean
      /**
       * Format: date-time
       * @example 2024-05-06T07:08:09.000Z
       */
      created_at: string
    }
    TagCreate: {
      /** @example beach */
      name: string
      notes?: string | null
      color?: string | null
      category_id?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      /** @default false */
      is_public?: boolean
    }
    TagOffsetPage: {
      items: components['schemas']['Tag'][]
      total: number
      offset: number
      limit: number
    }
    TagRule: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      when_tag_id: string
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      then_tag_id: string
      then_tag_name: string
      is_active: boolean
    }
    TagRuleCreate: {
      /**
       * Format: uuid
       * @example 018f4c1e-7b1a-7c3d-9e2f-5a6b7c8d9e0f
       */
      then_tag_id: string
      /** @default true */
      is_active?: boolean
      /**
       * @description Whether the files that carry the tag now gain what follows
       * @default true
       */
      apply_to_existing?: boolean
    }
    TagRuleUpdate: {
      is_active: boolean
      /**
       * @description Whether the files that carry the tag now gain what follows
       * @default false
       */
      apply_to_existing?: boolean
    }
    TagUpdate: {
      /** @example beach */
      name?: string
      notes?: string | null
      color?: string | null
      category_id?: string | null
      metadata?: {
        [key: string]: unknown
      } | null
      is_public?: boolean
    }
    TokenPair: {
      access_token: string
      refresh_token: string
      expires_in: number
    }
    User: {
      id: number
      name: string
      is_admin: boolean
      can_create: boolean
      is_blocked: boolean
    }
    UserCreate: {
      /** @example ann */
      name: string
      password: string
      /** @default false */
      is_admin?: boolean
      /** @default false */
      can_create?: boolean
    }
    UserOffsetPage: {
      items: components['schemas']['User'][]
      total: number
      offset: number
      limit: number
    }
    UserUpdate: {
      is_admin?: boolean
      can_create?: boolean
      is_blocked?: boolean
    }
  }
  responses: {
    /** @description The path, query or body is not valid; `details` names each field */
    validation_error: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description No valid token */
    unauthorized: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        /** @description The scheme that is asked for: Bearer */
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
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The file is no picture or video of a known type */
    unsupported_mime: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The range lies outside the file */
    range_not_satisfiable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        /** @description The size of the file, as `bytes *\/size` */
        'Content-Range': string
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Too many failed attempts; try again later */
    rate_limited: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        /** @description Seconds until the next attempt makes sense */
        'Retry-After': number
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description Something went wrong in the server */
    internal_error: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The disk of the server is full */
    insufficient_storage: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['Error']
      }
    }
    /** @description The head of the request is too large; said by the HTTP layer, in words of its own */
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
    /** @description Names the request in the log of the server */
    'X-Request-Id': string
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
      /** @description It is */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          /** @description Names this version of the document */
          ETag: string
          /** @description How many bytes these are */
          'Content-Length'?: number
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the document */
          ETag: string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          /** @description Names this version of the document */
          ETag: string
          /** @description How many bytes these are */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the document */
          ETag: string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong in the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is full */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TokenPair']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TokenPair']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getFileContent: {
    parameters: {
      query?: {
        /** @description Show it, not save it */
        inline?: '1'
        /** @description An access or content token, in place of the header, for GET alone */
        access_token?: string
      }
      header?: never
      path: {
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content, shown inline by its own type */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length'?: number
          /** @description Whether to show or to save it, and its name (RFC 6266) */
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length'?: number
          /** @description Whether to show or to save it, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': Blob
          'image/*': string
          'video/*': string
        }
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
      507: components['responses']['insufficient_storage']
    }
  }
  replaceFileContent: {
    parameters: {
      query?: never
      header?: never
      path: {
        file_id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          file: Blob
        }
      }
    }
    responses: {
      /** @description The file with its new content */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  headFileContent: {
    parameters: {
      query?: {
        /** @description Show it, not save it */
        inline?: '1'
      }
      header?: never
      path: {
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The whole content, shown inline by its own type */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          /** @description Whether to show or to save it, and its name (RFC 6266) */
          'Content-Disposition': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          /** @description Whether to show or to save it, and its name (RFC 6266) */
          'Content-Disposition': string
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
          [name: string]: unknown
        }
        content?: never
      }
      /** @description No valid token */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The scheme that is asked for: Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range lies outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong in the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is full */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
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
          [name: string]: unknown
        }
        content?: never
      }
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SessionList']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  endSession: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listUsers: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      429: components['responses']['rate_limited']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getUser: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  deleteUser: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  updateUser: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listDuplicates: {
    parameters: {
      query?: {
        /** @description How many items at most */
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['DuplicateClusterPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      /** @description The progress, one event a line */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      507: components['responses']['insufficient_storage']
    }
  }
  listSimilarFiles: {
    parameters: {
      query?: {
        /** @description How many items at most */
        limit?: number
        /** @description How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD when not given */
        distance?: number
      }
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  findSimilarFiles: {
    parameters: {
      query?: {
        /** @description How many items at most */
        limit?: number
        /** @description How many bits of the hashes may differ; DUPLICATE_HASH_THRESHOLD when not given */
        distance?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'multipart/form-data': {
          file: Blob
        }
      }
    }
    responses: {
      /** @description The files with their distances */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SimilarFiles']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      /** @description The progress, one event a line */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/x-ndjson': components['schemas']['ImportEvent']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      /** @description The tags named and those that followed */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      /** @description Tags on all and on some of the files */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CommonTags']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listFiles: {
    parameters: {
      query?: {
        /** @description A cursor of an earlier page of this list, as it was given */
        cursor?: string
        /** @description Which way to go from the cursor or the anchor */
        direction?: 'forward' | 'backward'
        /** @description A file to list around; not with a cursor */
        anchor?: string
        /** @description How many items at most */
        limit?: number
        /** @description What to sort by: `created`, unless a cursor says otherwise */
        sort?: 'content_datetime' | 'created' | 'original_name' | 'mime'
        /** @description `desc`, unless a cursor says otherwise */
        order?: 'asc' | 'desc'
        /** @description Which files to list, in the filter language; see the head of this document */
        filter?: string
        /** @description Part of the name, in upper or lower case */
        search?: string
        /** @description Whether to list the trash alone */
        trash?: boolean
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
          file: Blob
          /**
           * Format: date-time
           * @example 2024-05-06T07:08:09.000Z
           */
          content_datetime?: string
          /** @description At most 64 KiB as UTF-8 */
          notes?: string
          /**
           * @description The text of a JSON object
           * @example {"place":"home"}
           */
          metadata?: string
          is_public?: boolean
          /** @description Ids of tags, with commas between them */
          tag_ids?: string
        }
      }
    }
    responses: {
      /** @description The new file */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      413: components['responses']['payload_too_large']
      415: components['responses']['unsupported_mime']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getFile: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  trashFile: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  updateFile: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  restoreFile: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  deleteFilePermanently: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  recordFileView: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  createContentToken: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  getFileThumbnail: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length'?: number
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
      507: components['responses']['insufficient_storage']
    }
  }
  headFileThumbnail: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
          [name: string]: unknown
        }
        content?: never
      }
      /** @description No valid token */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The scheme that is asked for: Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range lies outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong in the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is full */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length'?: number
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content: {
          'image/jpeg': Blob
        }
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
      507: components['responses']['insufficient_storage']
    }
  }
  headFilePreview: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range that was asked for */
      206: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
          ETag: string
          /** @description When this version was stored */
          'Last-Modified': string
          /** @description Ranges are taken in bytes */
          'Accept-Ranges': string
          /** @description How many bytes these are */
          'Content-Length': number
          /** @description Which bytes of how many these are */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description As the client has it */
      304: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description Names this version of the content */
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
          [name: string]: unknown
        }
        content?: never
      }
      /** @description No valid token */
      401: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The scheme that is asked for: Bearer */
          'WWW-Authenticate': string
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The caller has no right to do that */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description There is no such object */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The range lies outside the file */
      416: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          /** @description The size of the file, as `bytes *\/size` */
          'Content-Range': string
          [name: string]: unknown
        }
        content?: never
      }
      431: components['responses']['head_too_large']
      /** @description Something went wrong in the server */
      500: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description The disk of the server is full */
      507: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
        file_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Its tags, by name */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  replaceFileTags: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      /** @description Its tags, those that followed by rules too */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  addFileTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        file_id: string
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Its tags, those that followed by rules too */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Tag'][]
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  removeFileTag: {
    parameters: {
      query?: never
      header?: never
      path: {
        file_id: string
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
      507: components['responses']['insufficient_storage']
    }
  }
  listTags: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TagOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getTag: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  deleteTag: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  updateTag: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listTagFiles: {
    parameters: {
      query?: {
        /** @description A cursor of an earlier page of this list, as it was given */
        cursor?: string
        /** @description Which way to go from the cursor */
        direction?: 'forward' | 'backward'
        /** @description How many items at most */
        limit?: number
      }
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  listTagRules: {
    parameters: {
      query?: never
      header?: never
      path: {
        tag_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description What follows when the tag is applied */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      507: components['responses']['insufficient_storage']
    }
  }
  createTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  deleteTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        tag_id: string
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
      507: components['responses']['insufficient_storage']
    }
  }
  updateTagRule: {
    parameters: {
      query?: never
      header?: never
      path: {
        tag_id: string
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
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listCategories: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CategoryOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Category']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  deleteCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  updateCategory: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      409: components['responses']['conflict']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listCategoryTags: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
        limit?: number
      }
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  listPools: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
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
      /** @description A page of pools */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['PoolOffsetPage']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
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
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Pool']
        }
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  getPool: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  deletePool: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  updatePool: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  recordPoolView: {
    parameters: {
      query?: never
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  listPoolFiles: {
    parameters: {
      query?: {
        /** @description A cursor of an earlier page of this list, as it was given */
        cursor?: string
        /** @description How many items at most */
        limit?: number
        /** @description Which files to list, in the filter language; see the head of this document */
        filter?: string
      }
      header?: never
      path: {
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
      507: components['responses']['insufficient_storage']
    }
  }
  addPoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  removePoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  reorderPoolFiles: {
    parameters: {
      query?: never
      header?: never
      path: {
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
          [name: string]: unknown
        }
        content?: never
      }
      400: components['responses']['validation_error']
      401: components['responses']['unauthorized']
      403: components['responses']['forbidden']
      404: components['responses']['not_found']
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listPermissions: {
    parameters: {
      query?: never
      header?: never
      path: {
        object_type: 'file' | 'tag' | 'category' | 'pool'
        object_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The entries, by user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      507: components['responses']['insufficient_storage']
    }
  }
  replacePermissions: {
    parameters: {
      query?: never
      header?: never
      path: {
        object_type: 'file' | 'tag' | 'category' | 'pool'
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
      /** @description The entries, by user */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id']
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
      413: components['responses']['payload_too_large']
      431: components['responses']['head_too_large']
      500: components['responses']['internal_error']
      507: components['responses']['insufficient_storage']
    }
  }
  listAuditLog: {
    parameters: {
      query?: {
        /** @description How many items to skip */
        offset?: number
        /** @description How many items at most */
        limit?: number
        /** @description Who did it */
        user_id?: number
        /** @description What was done */
        action?: string
        /** @description What kind of object it was done to */
        object_type?: 'file' | 'tag' | 'category' | 'pool'
        /** @description Which object it was done to */
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
      507: components['responses']['insufficient_storage']
    }
  }
}
