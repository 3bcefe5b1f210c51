// As a type of its own: the compiler would read every number of it.
declare module 'world-atlas/*.json' {
  const world: import('topojson-specification').Topology<{
    countries: import('topojson-specification').GeometryCollection
    land: import('topojson-specification').GeometryCollection
  }>
  export default world
}
