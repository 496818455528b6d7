/** Ends commands that need the development packages, where `npm ci --omit=dev` has left them out. Import it before what needs them. */
try {
  require.resolve("proper-lockfile");
} catch {
  console.error("This command needs the development packages: npm ci");
  process.exit(1);
}
