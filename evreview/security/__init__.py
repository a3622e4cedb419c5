"""W3: authorization, trust map, control inventory, leads, abuse cases, findings and remediation."""
