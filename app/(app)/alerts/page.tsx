import type { Metadata } from "next";
import { AlertsPage as Alerts } from "#components/alerts/alerts-page.tsx";

export const metadata: Metadata = { title: "Alerts" };

export default function AlertsPage() {
  return <Alerts />;
}
