declare module '*.css'
declare module '*.svg'
declare module '*/edit.css' {
  /** The bundled file's address, relative to the script that imports it. */
  const address: string
  export default address
}
