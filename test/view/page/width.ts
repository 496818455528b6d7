/** The width of the page. */
import { useEffect, useState } from "react";

/** The body can have a place for a menu: see `main.tsx`. */
const current = () => document.getElementById("root")?.clientWidth ?? 0;

/** Pixels, without the scroll bar. */
export function usePageWidth(): number {
  const [width, setWidth] = useState(current);
  useEffect(() => {
    const update = () => setWidth(current());
    window.addEventListener("resize", update);
    return () => window.removeEventListener("resize", update);
  }, []);
  return width;
}
