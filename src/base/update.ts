type UpdateOf<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined }

/** Returns the record with the fields of an update: an absent field stays, and null clears one. */
export function withUpdate<Fields extends object>(
  before: Fields,
  update: UpdateOf<Fields>,
): Fields {
  const given = Object.entries(update).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

/** Returns metadata as JSON text, its stored form; null and undefined stay as they are. */
export function metadataText<Metadata extends object | null | undefined>(
  metadata: Metadata,
): string | Exclude<Metadata, object> {
  return metadata ? JSON.stringify(metadata) : (metadata as Exclude<Metadata, object>)
}
