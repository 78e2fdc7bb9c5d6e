import { canInstallPackages, installPackages } from './apt.ts';
import { findPrograms } from './programs.ts';

interface PrometheusPrograms {
  prometheus: string;
  promtool: string;
}

/** The installed Prometheus, or the one of Debian, which is installed if possible. */
export async function prometheusPrograms(): Promise<PrometheusPrograms> {
  return (await find()) ?? install();
}

async function find(): Promise<PrometheusPrograms | undefined> {
  const [prometheus, promtool] = (await findPrograms(['prometheus', 'promtool'])) ?? [];
  return prometheus && promtool ? { prometheus, promtool } : undefined;
}

async function install(): Promise<PrometheusPrograms> {
  if (!(await canInstallPackages())) throw new Error('These tests need Prometheus: install prometheus and promtool.');
  await installPackages(['prometheus']);
  const found = await find();
  if (found === undefined) throw new Error('The package prometheus does not contain prometheus and promtool.');
  return found;
}
