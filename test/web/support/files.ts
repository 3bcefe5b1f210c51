import type { Schemas } from '../../../src/client/index.ts'

/** Returns a file as the API tells it, of a number, with what a test is about. */
export function fileOf(number: number, about: Partial<Schemas['File']> = {}): Schemas['File'] {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    original_name: `${number}.jpg`,
    mime_type: 'image/jpeg',
    mime_extension: 'jpg',
    content_datetime: '2015-05-01T16:27:00.000Z',
    content_offset: null,
    date_source: 'upload',
    date_precision: null,
    size: 1_000_000,
    width: 1600,
    height: 1200,
    duration: null,
    is_damaged: false,
    place: null,
    rotation: 0,
    thumbhash: null,
    version: 'Zm9vYmFy',
    notes: null,
    metadata: null,
    exif: {},
    phash: 1,
    creator_id: 1,
    creator_name: 'Anna',
    is_public: false,
    is_deleted: false,
    trashed_at: null,
    leaves_trash_at: null,
    needs_review: false,
    created_at: '2024-05-06T07:08:09.000Z',
    companion_of: null,
    is_favourite: false,
    tags: [],
    ...about,
  }
}

/** Returns a tag as a file has it. */
export function tagOf(name: string): Schemas['File']['tags'][number] {
  return {
    id: name,
    name,
    notes: null,
    color: null,
    category_id: null,
    category_name: null,
    category_color: null,
    metadata: null,
    creator_id: 1,
    creator_name: 'Anna',
    is_public: false,
    created_at: '2024-05-06T07:08:09.000Z',
    by_rule: false,
  }
}
