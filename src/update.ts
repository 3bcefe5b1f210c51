/** What a change may give of a record's fields; what is absent stays. */
type UpdateOf<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined }

/** Returns the record with the fields that an update gives: an absent one stays, and null clears. */
export function withUpdate<Fields extends object>(
  before: Fields,
  update: UpdateOf<Fields>,
): Fields {
  const given = Object.entries(update).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

/** Returns metadata as it is stored, which is JSON text; null and what is absent stay as they are. */
export function metadataText<Metadata extends object | null | undefined>(
  metadata: Metadata,
): string | Exclude<Metadata, object> {
  return metadata ? JSON.stringify(metadata) : (metadata as Exclude<Metadata, object>)
}
