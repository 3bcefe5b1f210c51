import { join } from 'node:path'
import { defaultImportPath } from '../base/config.ts'

/** The derivatives of a content: pictures made from it, which are a cache. */
export const DERIVATIVES = ['thumbnail', 'preview', 'thumbnail640', 'full'] as const
export type DerivativeKind = (typeof DERIVATIVES)[number]
/** Derivatives that are only stored within THUMBNAIL_CACHE. */
export const BOUNDED: readonly DerivativeKind[] = ['thumbnail640', 'full']

/** How the names of copies of the database begin. */
export const BEFORE = 'tagstead.sqlite.before-'

/** Returns the paths of everything in a data folder. */
export function dataFolder(dataDir: string) {
  const contents = join(dataDir, 'files')
  const derivatives: Record<DerivativeKind, string> = {
    thumbnail: join(dataDir, 'thumbnails'),
    preview: join(dataDir, 'previews'),
    thumbnail640: join(dataDir, 'thumbnails640'),
    full: join(dataDir, 'full'),
  }
  return {
    database: join(dataDir, 'tagstead.sqlite'),
    /** Copies of the database from before it was migrated, by the version that migrated it. */
    databaseBefore: (version: string) => join(dataDir, `${BEFORE}${version}`),
    secretKey: join(dataDir, 'secret.key'),
    /** Held by the server; only its holder may migrate the database and empty `tmp`. */
    serverLock: join(dataDir, 'lock'),
    importLock: join(dataDir, 'import.lock'),
    rescanLock: join(dataDir, 'rescan.lock'),
    backupLock: join(dataDir, 'backup.lock'),
    moveLock: join(dataDir, 'move.lock'),
    checkLock: join(dataDir, 'check.lock'),
    /** Where files to import are put, unless the settings name another folder. */
    imports: defaultImportPath(dataDir),
    /** The folder for temporary files; each process that writes files has one of its own. */
    temporary: (name: string) => join(dataDir, name),
    /** Where the decoder's children get theirs, in such a folder. */
    rooms: (temporaryFolder: string) => join(temporaryFolder, 'decode'),
    /** For uploads that come in parts, each named after its id. */
    uploads: join(dataDir, 'uploads'),
    upload: (id: string) => join(dataDir, 'uploads', requireUpload(id)),
    /** Exists while a restore is not finished. */
    restoring: join(dataDir, 'restoring'),
    /** For contents that no row names. */
    lostAndFound: join(dataDir, 'lost+found'),
    contents,
    /** Names the library of the contents, which may be on a disk of their own. */
    storeMarker: join(contents, '.library'),
    derivatives,
    /** For copies of contents that are in a store. */
    cachedContents: join(dataDir, 'contents-cache'),
    cachedContent: (blob: string) => pathInShelf(join(dataDir, 'contents-cache'), blob),
    /**
     * Contents and derivatives are in shelves, folders named after the first digits of their blobs.
     */
    content: (blob: string) => pathInShelf(contents, blob),
    derivative: (kind: DerivativeKind, blob: string) =>
      pathInShelf(derivatives[kind], blob, '.jpg'),
  }
}

// Only a text that was checked becomes a Blob, since it may be a part of a path.
type Blob = string & { readonly [looked]: true }
declare const looked: unique symbol

/** Returns whether a text is the name of a content. */
export function isBlob(name: string): name is Blob {
  return /^[0-9a-f]{32}$/.test(name)
}

/** Returns the name of a content. Throws for any other text: a database may come from somebody else. */
export function requireBlob(name: string): Blob {
  if (isBlob(name)) return name
  throw new Error(`${JSON.stringify(String(name).slice(0, 100))} is not the name of a content`)
}

/** Returns whether a text is the name of an upload that comes in parts. */
export function isUpload(name: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
}

function requireUpload(id: string): string {
  if (isUpload(id)) return id
  throw new Error(`${JSON.stringify(String(id).slice(0, 100))} is not the id of an upload`)
}

/** Returns the path in a folder of shelves of a content, or of what is made from it. Throws for any other text. */
export function pathInShelf(folder: string, blob: string, ending: '' | '.jpg' = '') {
  const name = requireBlob(blob)
  return join(folder, shelfOf(name), `${name}${ending}`)
}

/**
 * Returns whether a name in the folder of the contents is that of a shelf; other programs leave files of their own
 * there.
 */
export function isShelf(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name)
}

/** Returns the name of a blob's shelf: two hex digits. Throws for any other text. */
export function shelfOf(blob: string): string {
  return requireBlob(blob).slice(0, 2)
}
